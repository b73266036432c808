import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { type Account, type Binding, placeOf } from '../../packages/controller/domain/rights.ts';
import { at, type Thing, type Wanted } from './seen.ts';

/**
 * What mends all that the manifests ask for. No command of ours does: whoever follows docs/install.md has named another
 * image, and the name that stands in the manifests may be anybody's.
 */
export const again = 'apply your kustomization again: kubectl apply -k .';

/** The command that makes an object without an image as the manifests have it, and nothing else of them. */
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

/** The command that adds somebody to a binding. */
export function naming(one: Binding, who: Account): string {
  return `${kubectl(placeOf(one))} set subject ${one.kind.toLowerCase()} ${one.metadata.name} ${subject(who)}`;
}

/** The command that takes an object away. */
export function deleting({ kind, metadata }: KubeObject): string {
  return `${kubectl(metadata.namespace)} delete ${kind.toLowerCase()} ${metadata.name}`;
}

/** The command that gives a Trigger of somebody else's the delivery of the Broker. */
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
