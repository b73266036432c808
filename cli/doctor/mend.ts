import type { Thing } from '../../packages/controller/doctor/own-checks.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { type Account, type Binding, placeOf } from '../../packages/controller/domain/rights.ts';
import { at, type Wanted } from './seen.ts';

/**
 * Repairs everything in the manifests. None of our own commands can do that: users who follow docs/install.md have named another
 * image, and the image name in the manifests may belong to anyone.
 */
export const again = 'apply your kustomization again: kubectl apply -k .';

/** The same in a mesh, which makes everything at its start. */
export const restart = 'end npm start and start it again: it applies every manifest';

/** The command that makes one object without an image as the manifests have it, and no other. */
export function applying(object: Thing, { fileOf }: Pick<Wanted, 'fileOf'> = {}): string {
  const file = fileOf?.(object);
  if (file !== undefined) return `kubectl apply -f ${file}`;
  return `echo '${JSON.stringify(object).replaceAll("'", `'\\''`)}' | kubectl apply -f -`;
}

/** The command that makes a binding that is not there. */
export function binding(one: Binding, who: Account): string {
  const { kind, metadata, roleRef } = one;
  const role = `--${roleRef.kind.toLowerCase()}=${roleRef.name}`;
  return `${kubectl(placeOf(one))} create ${kind.toLowerCase()} ${metadata.name} ${role} ${subject(who)}`;
}

/** The command that adds an account to a binding. */
export function naming(one: Binding, who: Account): string {
  return `${kubectl(placeOf(one))} set subject ${one.kind.toLowerCase()} ${one.metadata.name} ${subject(who)}`;
}

/** The command that deletes an object. */
export function deleting({ kind, metadata }: KubeObject): string {
  return `${kubectl(metadata.namespace)} delete ${kind.toLowerCase()} ${metadata.name}`;
}

/** The command that gives the Broker's delivery to a Trigger that is not in the manifests. */
export function delivering({ metadata }: Thing, broker: Thing | undefined): string {
  const patch = JSON.stringify({ spec: { delivery: at(broker?.spec, 'delivery') } });
  return `${kubectl(metadata.namespace)} patch triggers.eventing.knative.dev ${metadata.name} --type merge --patch '${patch}'`;
}

export function kubectl(namespace: string | undefined): string {
  return namespace === undefined ? 'kubectl' : `kubectl --namespace ${namespace}`;
}

function subject({ namespace, name }: Account): string {
  return `--serviceaccount=${namespace}:${name}`;
}
