import type { Resource } from '../../decide/resource.ts';
import { groupOf, type ObjectRef } from '../../domain/kube-object.ts';
import type { Handler } from '../../domain/ports.ts';
import { ownerOf } from '../../parents/owner.ts';
import { subjectOf } from '../../parents/subject.ts';
import type { FaultSuite } from './suite.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** The functions of a suite by `group/Kind`: each parent is woken by itself and by its children, and by what the suite adds. */
export function rowsOf({
  resources,
  handlers = [],
}: Pick<FaultSuite, 'resources' | 'handlers'>): ReadonlyMap<string, Handler> {
  const kinds = [...resources, ...resources.flatMap(childrenOf)];
  return new Map([
    ...kinds.map((kind) => [stemOf(kind), wakeParents(kind, resources)] as const),
    ...handlers.map(({ kind, handle }) => [kind, handle] as const),
  ]);
}

/** `group/Kind`. */
export function stemOf({ apiVersion, kind }: Kind): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

function childrenOf({ apiVersion, kind, children }: Resource): readonly Kind[] {
  return [...children({ apiVersion, kind, namespace: 'any', name: 'any' }).values()];
}

function wakeParents(kind: Kind, resources: readonly Resource[]): Handler {
  const isParent = resources.some((resource) => stemOf(resource) === stemOf(kind));
  return async (change, { reader, reconcile }) => {
    const subject = isParent ? change.hint : await subjectOf(change, reader);
    const owners = resources.flatMap((resource) => ownerOf(subject, resource));
    const parents = isParent ? [change.ref, ...owners] : owners;
    return Promise.all(parents.map((parent) => reconcile(parent)));
  };
}
