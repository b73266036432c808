import { firstBudget, passBudget } from '../decide/budget.ts';
import { isLeaving } from '../decide/children.ts';
import { inputRounds } from '../decide/input-rounds.ts';
import type { AskingWith, Resource } from '../decide/resource.ts';
import type { Budget } from '../domain/budget.ts';
import { KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import type { Observed, Query } from '../domain/plan.ts';
import type { Reader } from '../domain/ports.ts';

/**
 * Reads everything that a decision about one parent rests on; undefined when the parent is gone.
 *
 * The order is rule R1: every child that may be written, and what is listed by the owner's name, is read before the owner, the owner before its inputs. A write
 * is then made only over the version of the child that was read (R2), so no write by another instance lies between;
 * and what it was made from is at least as new as what the write before it was made from. Read the owner first, and a
 * slow instance overwrites a newer result for good.
 *
 * `seen` is what a look has read just before. A child in it is not read again; a child that the look left out is. The owner is read again,
 * after them, as R1 wants it; where it is no longer the version that the look saw, everything is read again.
 */
export async function observe(
  resource: Resource,
  ref: ObjectRef,
  { seen, ...from }: ObserveFrom & { readonly seen?: Seen | undefined },
): Promise<Observed | undefined> {
  const { reader, allow, ...asking } = from;
  allow(firstBudget(resource, ref, from.controllerNamespace));
  const roles = [...resource.children(ref)];
  const lists = resource.lists?.(ref, from.controllerNamespace) ?? [];
  const childOf = async (role: string, child: ObjectRef): Promise<KubeObject | undefined> =>
    seen?.children.has(role) === true ? seen.children.get(role) : reader.get(child);
  const [children, listed] = await Promise.all([
    Promise.all(roles.map(async ([role, child]) => [role, await childOf(role, child)] as const)),
    Promise.all(lists.map(async ({ name, query }) => [name, await readServed(query, reader)] as const)),
  ]);
  const owner = await reader.get(ref);
  if (owner === undefined) return undefined;
  if (seen !== undefined && !isSame(owner, seen.owner)) return observe(resource, ref, from);
  const before = new Map(listed.map(([name, found]) => [name, foundOf(owner, found)]));
  allow(passBudget(resource, owner, before));
  const rounds = inputRounds(resource, owner, { ...asking, children: new Map(children), before });
  let mayWrite = false;
  let round = rounds.next();
  for (
    ;
    round.done !== true;
    round = rounds.next(await Promise.all(round.value.map(({ query }) => read(query, reader))))
  ) {
    mayWrite ||= round.value.some(({ written }) => written === true);
  }
  if (mayWrite) await stillTheSame(owner, { ref, reader });
  return { owner, children: new Map(children), inputs: round.value };
}

export interface ObserveFrom extends Omit<AskingWith, 'children'> {
  readonly reader: Reader;
  /** Adds to what the pass may cost: first what follows from the owner's name, and once the owner is read, what follows from its spec. */
  readonly allow: (more: Budget) => void;
}

/** What a look has seen of a parent that was at rest when its status was written. */
export type Seen = Pick<Observed, 'owner' | 'children'>;

/** What a query finds; of an object one or none. */
export async function read(query: Query, reader: Reader): Promise<readonly KubeObject[]> {
  if (query.what === 'list') return reader.list(query);
  const object = await (query.metadataOnly === true ? reader.getMetadata(query.ref) : reader.get(query.ref));
  return object === undefined ? [] : [object];
}

/** What a query finds, or the error that says that its kind is not served. */
async function readServed(query: Query, reader: Reader): Promise<readonly KubeObject[] | KnudgeError> {
  try {
    return await read(query, reader);
  } catch (error) {
    if (error instanceof KnudgeError && error.code === 'kind-not-served') return error;
    throw error;
  }
}

/**
 * Of a kind that is not served nothing exists. An owner that is leaving takes that for an answer, else it would wait for ever where all
 * definitions are deleted. An owner that stays would make again all that it seems to have lost, so it waits for the definition.
 */
function foundOf(owner: KubeObject, found: readonly KubeObject[] | KnudgeError): readonly KubeObject[] {
  if (!(found instanceof KnudgeError)) return found;
  if (isLeaving(owner)) return [];
  throw found;
}

/** An input that may be written was named by the owner, so it was read after it: the owner must not have moved since. */
async function stillTheSame(
  owner: KubeObject,
  at: { readonly ref: ObjectRef; readonly reader: Reader },
): Promise<void> {
  const now = await at.reader.get(at.ref);
  if (now !== undefined && isSame(now, owner)) return;
  throw new KnudgeError('conflict', `${describe(at.ref)} changed while it was read`);
}

function isSame({ metadata: one }: KubeObject, { metadata: other }: KubeObject): boolean {
  return one.resourceVersion === other.resourceVersion && one.uid === other.uid;
}
