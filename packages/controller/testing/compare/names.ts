import { controllerOf, type KubeObject, refOf } from '../../domain/kube-object.ts';
import type { Trace } from '../trace.ts';
import { nameOf, pick } from '../trace-words.ts';

/** Names for what is random or chosen in one run, so that two runs can be compared. */
export interface Names {
  readonly nameOfUid: (uid: string) => string;
  readonly nameNamespaces: (text: string) => string;
  readonly nameAddresses: (text: string) => string;
}

/** Those of a run, for objects of it as they are at one moment: a uid of something that is not among them is gone. */
export function namesIn(trace: Trace, objects: readonly KubeObject[]): Names {
  const uids = new Map<string, string>();
  for (const { object } of trace.changes) uids.set(object.metadata.uid ?? '', `{gone ${nameOf(refOf(object))}}`);
  for (const object of objects) uids.set(object.metadata.uid ?? '', `{${nameOf(refOf(object))}}`);
  const namespaces = [...new Set(trace.parents.map(({ namespace }) => namespace))].map(
    (namespace, index) => [namespace, `{namespace ${String(index + 1)}}`] as const,
  );
  const nameNamespaces = replacer(namespaces);
  return {
    nameOfUid: (uid) => nameNamespaces(uids.get(uid) ?? uid),
    nameNamespaces,
    nameAddresses: replacer(addressesOf(objects, trace.parents).sort(([one], [other]) => other.length - one.length)),
  };
}

function addressesOf(objects: readonly KubeObject[], parents: Trace['parents']): (readonly [string, string])[] {
  return objects.flatMap((object) => {
    const address = addressOf(object);
    return address === '' || address === 'None' ? [] : [[address, `{address of ${ownerOr(object, parents)}}`] as const];
  });
}

function addressOf(object: KubeObject): string {
  const address =
    object.kind === 'Pod'
      ? pick(object, 'status', 'podIP')
      : object.kind === 'Service' && pick(object, 'spec', 'clusterIP');
  return typeof address === 'string' ? address : '';
}

/** Replicas have random names: one is as good as another. */
function ownerOr(object: KubeObject, parents: Trace['parents']): string {
  const controller = controllerOf(object);
  const { kind, metadata } = object;
  return controller === undefined || parents.some(({ kind: one }) => one === controller.kind)
    ? `${kind} ${metadata.name}`
    : `a ${kind} of a ${controller.kind}`;
}

/** Replaces each where it stands alone: not within a longer name or address. */
function replacer(pairs: readonly (readonly [string, string])[]): (text: string) => string {
  const patterns = pairs
    .filter(([from]) => from !== '')
    .map(([from, to]) => [new RegExp(`(?<![\\w-])${from.replaceAll('.', '\\.')}(?![\\w-])`, 'g'), to] as const);
  return (text) => patterns.reduce((changed, [pattern, to]) => changed.replace(pattern, () => to), text);
}
