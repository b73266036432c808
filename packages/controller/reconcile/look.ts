import { ownerBudget, restBudget } from '../decide/budget.ts';
import { inputRounds } from '../decide/input-rounds.ts';
import type { Resource } from '../decide/resource.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../domain/kube-object.ts';
import type { Observed } from '../domain/plan.ts';
import { type ObserveFrom, read } from './observe.ts';

/** What a look has found: the parent is gone, it may be at rest, or it is not at rest, at least not as far as this event is concerned. */
export type Look = { readonly is: 'gone' | 'restless' } | { readonly is: 'seen'; readonly observed: Observed };

/**
 * Reads a parent that may be at rest, with few requests and in any order: the owner first, since nothing more is asked of what is gone.
 * Nothing may be written from this, for rule R1 is not kept. What need not be written needs no order either: nothing is overwritten,
 * and a change after its read brings an event of its own. Where there is something to do, the pass that follows keeps the
 * children that the look has read, since R1 wants them read first, and reads the owner and its inputs anew (packages/controller/reconcile/observe.ts).
 *
 * `about` are objects that events were about: those of them that are children are read in any case. A look is not enough where the
 * status would have to speak for one of them.
 */
export async function look(
  resource: Resource,
  ref: ObjectRef,
  { about, from }: { readonly about: readonly ObjectRef[]; readonly from: Omit<ObserveFrom, 'tries'> },
): Promise<Look> {
  const { reader, allow, ...asking } = from;
  allow(ownerBudget);
  const owner = await reader.get(ref);
  if (owner === undefined) return { is: 'gone' };
  const rest = resource.atRest?.(owner);
  if (rest === undefined) return { is: 'restless' };
  const { queries, asTold } = rest;
  const all = [...resource.children(ref)];
  const isLeftOut = ([role, child]: (typeof all)[number]): boolean =>
    asTold.includes(role) && about.some((one) => describe(one) === describe(child));
  if (all.some(isLeftOut)) return { is: 'restless' };
  allow(restBudget(resource, owner, queries.length));
  const found = (await Promise.all(queries.map((query) => read(query, reader)))).flat();
  const roles = all.filter(([role]) => !asTold.includes(role));
  const isAsked = (child: ObjectRef): boolean =>
    queries.some((query) => query.what === 'object' && describe(query.ref) === describe(child));
  const children = await childrenAmong(found, { roles, about: about.filter((one) => !isAsked(one)), reader });
  const rounds = inputRounds(resource, owner, { ...asking, tries: false, children });
  let round = rounds.next();
  while (round.done !== true) {
    round = rounds.next(await Promise.all(round.value.map(({ query }) => read(query, reader))));
  }
  return { is: 'seen', observed: { owner, children, inputs: round.value } };
}

interface Among extends Pick<ObserveFrom, 'reader'> {
  readonly roles: readonly (readonly [role: string, child: ObjectRef])[];
  readonly about: readonly ObjectRef[];
}

async function childrenAmong(
  found: readonly KubeObject[],
  { roles, about, reader }: Among,
): Promise<Observed['children']> {
  const byName = new Map(found.map((object) => [describe(refOf(object)), object]));
  const wanted = new Set(about.map(describe));
  const children = roles.map(async ([role, child]) => {
    const name = describe(child);
    const known = byName.get(name);
    return [role, known ?? (wanted.has(name) ? await reader.get(child) : undefined)] as const;
  });
  return new Map(await Promise.all(children));
}
