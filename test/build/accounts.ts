import assert from 'node:assert/strict';
import { serviceNames } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { textIfAny, textOf } from '../house/files.ts';

/** The ServiceAccount that a Knative Service of functions runs as, of whichever cut: its manifest alone says so. */
export function accountOf(service: string): string {
  const text =
    textIfAny(`deploy/functions/${service}.yaml`) || textOf(`deploy/components/per-function/${service}.yaml`);
  const [, account] = /^ +serviceAccountName: (\S+)$/m.exec(text) ?? [];
  return account ?? assert.fail(`the manifest of ${service} names no ServiceAccount`);
}

/** Every account of functions, with the Knative Services that run as it. */
export const accounts: ReadonlyMap<string, readonly string[]> = Map.groupBy(serviceNames, accountOf);

/** The file that makes an account: that of its resource, or of the one function that has it. */
export function accountFile(account: string): string {
  return textIfAny(`deploy/accounts/${account}.yaml`) === ''
    ? `deploy/functions/${account}.yaml`
    : `deploy/accounts/${account}.yaml`;
}

/** What an older version had for an account of this name: a role and a binding like those of today's for a DistributedService. */
export function olderAccount(name: string, objects: readonly KubeObject[]): readonly KubeObject[] {
  const like = 'distributed-service';
  return objects
    .filter(({ kind, metadata }) =>
      kind === 'ServiceAccount' ? metadata.name === like : /Role/.test(kind) && metadata.name === `knudge-${like}`,
    )
    .map((one) => JSON.parse(JSON.stringify(one).replaceAll(like, name)) as KubeObject);
}
