import type { ListQuery } from '../../../packages/controller/cluster/pages.ts';
import { inputRounds } from '../../../packages/controller/decide/input-rounds.ts';
import type { AskingWith, NamedQuery, Resource } from '../../../packages/controller/decide/resource.ts';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Query } from '../../../packages/controller/domain/plan.ts';
import type { TracedCall } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { asObject, isOk, keyOf, seenObject } from './accessors.ts';

/** Whether a call asks what an input of a decision asks. */
export function isReadOf(query: Query, { verb, ref, query: parameters }: TracedCall): boolean {
  if (query.what === 'object') return verb === 'get' && keyOf(ref) === keyOf(query.ref);
  if (verb !== 'list' || keyOf(ref) !== keyOf({ ...query, name: '' })) return false;
  return asksFor(query, parameters);
}

/** Whether the parameters of a request for a list have the selectors of a query. */
export function asksFor(
  query: Pick<ListQuery, 'labelSelector' | 'fieldSelector'>,
  parameters: TracedCall['query'],
): boolean {
  const { labelSelector, fieldSelector = '' } = query;
  return (parameters['labelSelector'] ?? '') === labelSelector && (parameters['fieldSelector'] ?? '') === fieldSelector;
}

/** Everything that was asked about an owner, by what these reads showed; where one of them showed nothing, no more than that. */
export function queriesOf(
  resource: Pick<Resource, 'inputs' | 'lists'>,
  owner: KubeObject,
  { reads, ...asking }: AskingWith & { readonly reads: readonly TracedCall[] },
): readonly NamedQuery[] {
  const all = [...(resource.lists?.(refOf(owner), asking.controllerNamespace) ?? [])];
  const before = new Map(all.map(({ name, query }) => [name, foundAmong(query, reads)]));
  const rounds = inputRounds(resource, owner, { ...asking, before });
  let round = rounds.next();
  while (round.done !== true) {
    all.push(...round.value);
    round = rounds.next(round.value.map(({ query }) => foundAmong(query, reads)));
  }
  return all;
}

function foundAmong(query: Query, reads: readonly TracedCall[]): readonly KubeObject[] {
  return reads.filter((read) => isReadOf(query, read)).flatMap(objectsIn);
}

/** Only what the API server really said: a spoilt answer is no version of anything. */
export function objectsIn(call: TracedCall): readonly KubeObject[] {
  const { verb, seen, done, fault } = call;
  if (!isOk(seen.status) || (fault !== undefined && JSON.stringify(seen.body) !== JSON.stringify(done.body))) return [];
  return verb === 'get' ? [asObject(seen.body)].filter((object) => object !== undefined) : itemsIn(call);
}

/** The objects of a list as the handler saw them. */
function itemsIn({ ref: { apiVersion, kind }, seen }: TracedCall): readonly KubeObject[] {
  const items = pick(seen.body, 'items');
  return Array.isArray(items) ? items.map((item: object) => ({ ...item, apiVersion, kind }) as KubeObject) : [];
}

/**
 * What the handler made of these reads of one query, oldest first; undefined where that is not plain: none was answered,
 * or two of them were and showed different things.
 */
export function foundBy(query: Query, reads: readonly TracedCall[]): readonly KubeObject[] | undefined {
  const found = query.what === 'object' ? reads.flatMap(ofGet) : ofLists(reads);
  const [first, ...others] = new Map(found.map((objects) => [JSON.stringify(objects), objects])).values();
  return others.length === 0 ? first : undefined;
}

function ofGet(call: TracedCall): readonly (readonly KubeObject[])[] {
  const object = seenObject(call);
  if (object !== undefined) return [[object]];
  return call.seen.status === 404 ? [[]] : [];
}

/** Lists that were read to their end. A page is named by what the one before it was answered with. */
function ofLists(pages: readonly TracedCall[]): readonly (readonly KubeObject[])[] {
  const open = new Map<string, readonly KubeObject[]>([['', []]]);
  return pages.flatMap((page) => {
    const before = open.get(page.query['continue'] ?? '');
    if (!isOk(page.seen.status) || before === undefined) return [];
    const objects = [...before, ...itemsIn(page)];
    const next = pick(page.seen.body, 'metadata', 'continue');
    if (typeof next !== 'string' || next === '') return [objects];
    open.set(next, objects);
    return [];
  });
}
