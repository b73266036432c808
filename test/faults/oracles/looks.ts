import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';
import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { isOk, isParent, seenObject } from './accessors.ts';
import { resourceOf } from './managed.ts';

/** A look finds the children of these kinds by one list each (packages/controller/reconcile/look.ts). */
const listed: ReadonlySet<string> = new Set(['configmaps', 'services']);

/** Roles that a look does not ask for where the spec does not want them. The pass that follows does not write them then either. */
export const leftOut: ReadonlySet<string> = new Set(['tls']);

/** The calls of a trace, where a list by the uid of an owner stands as a GET of each child that it could have found. */
export function withListedChildren({ calls }: Pick<Trace, 'calls'>): readonly TracedCall[] {
  const owners = new Map<string, ObjectRef>();
  return calls.flatMap((call) => {
    const uid = uidOf(call);
    if (uid !== undefined) owners.set(uid, call.ref);
    const owner = owners.get(listedFor(call) ?? '');
    return owner === undefined ? [call] : getsFor(call, owner);
  });
}

/** Whether a call stands for what a list has found. */
export function isByList(call: TracedCall): boolean {
  return call.verb === 'get' && listedFor(call) !== undefined;
}

function uidOf(call: TracedCall): string | undefined {
  return call.verb === 'get' && isParent(call.ref) ? seenObject(call)?.metadata.uid : undefined;
}

function listedFor({ resource, query }: TracedCall): string | undefined {
  const selector = query['labelSelector'] ?? '';
  const prefix = `${labels.ownerUid}=`;
  if (!listed.has(resource) || !selector.startsWith(prefix) || selector.includes(',')) return undefined;
  return selector.slice(prefix.length);
}

function getsFor(call: TracedCall, owner: ObjectRef): readonly TracedCall[] {
  const children = [...(resourceOf(owner)?.children(owner).values() ?? [])];
  const items = pick(call.seen.body, 'items');
  const found = new Map(
    (Array.isArray(items) ? (items as readonly KubeObject[]) : []).map((item) => [item.metadata.name, item]),
  );
  return children
    .filter(({ kind }) => kind === call.ref.kind)
    .map((ref) => {
      const { apiVersion, kind } = ref;
      const item = found.get(ref.name);
      const answer =
        item === undefined ? { status: 404, body: {} } : { status: 200, body: { ...item, apiVersion, kind } };
      return { ...call, verb: 'get', ref, seen: isOk(call.seen.status) ? answer : call.seen };
    });
}
