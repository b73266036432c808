import type { Controllers, NamedQuery, Resource } from '../decide/resource.ts';
import { KnudgeError } from '../domain/errors.ts';
import { controllerOf, describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import type { Observed, Query } from '../domain/plan.ts';
import type { Reader } from '../domain/ports.ts';

/**
 * Reads everything that a decision about one parent rests on; undefined when the parent is gone.
 *
 * The order is rule R1: every child that may be written is read before the owner, the owner before its inputs. A write
 * is then made only over the version of the child that was read (R2), so no write by another instance lies between;
 * and what it was made from is at least as new as what the write before it was made from. Read the owner first, and a
 * slow instance overwrites a newer result for good.
 */
export async function observe(
  resource: Resource,
  ref: ObjectRef,
  from: { readonly reader: Reader; readonly controllerNamespace: string },
): Promise<Observed | undefined> {
  const { reader } = from;
  const roles = [...resource.children(ref)];
  const children = await Promise.all(roles.map(async ([role, child]) => [role, await reader.get(child)] as const));
  const owner = await reader.get(ref);
  if (owner === undefined) return undefined;
  const queries = resource.inputs(owner, from.controllerNamespace);
  const inputs = await readInputs(queries, reader);
  if (queries.some(({ written }) => written === true)) await stillTheSame(owner, { ref, reader });
  return { owner, children: new Map(children), inputs };
}

/** In two rounds: what hangs on what the first found comes in the second; and after both whose what they found is. */
async function readInputs(
  queries: readonly NamedQuery[],
  reader: Reader,
): Promise<ReadonlyMap<string, readonly KubeObject[]>> {
  const inputs = new Map<string, readonly KubeObject[]>();
  const readAll = async (round: readonly NamedQuery[]): Promise<void> => {
    const results = await Promise.all(round.map(async ({ name, query }) => [name, await read(query, reader)] as const));
    for (const [name, objects] of results) inputs.set(name, [...(inputs.get(name) ?? []), ...objects]);
  };
  const foundAny = (name: string): boolean => (inputs.get(name) ?? []).length > 0;
  await readAll(queries.filter(({ after }) => after === undefined));
  await readAll(queries.filter(({ after }) => after !== undefined && foundAny(after.name) === after.found));
  for (const { name, query } of queries) {
    if (query.what === 'controllers') inputs.set(name, await readControllers(query, { inputs, reader }));
  }
  return inputs;
}

/** Each is one read. Those of the oldest objects: what somebody has made to be in the way comes later than what it is to hide. */
const mostControllers = 32;

async function readControllers(
  { of, apiVersion, kind, except }: Controllers,
  at: { readonly inputs: ReadonlyMap<string, readonly KubeObject[]>; readonly reader: Reader },
): Promise<readonly KubeObject[]> {
  const refs = new Map<string, ObjectRef>();
  for (const object of (at.inputs.get(of) ?? []).toSorted(byAge)) {
    const controller = controllerOf(object);
    const ref = { apiVersion, kind, namespace: object.metadata.namespace ?? '', name: controller?.name ?? '' };
    if (controller?.kind === kind && controller.uid !== except) refs.set(describe(ref), ref);
  }
  const some = [...refs.values()].slice(0, mostControllers);
  const found = await Promise.all(some.map((ref) => at.reader.get(ref)));
  return found.filter((object) => object !== undefined);
}

function byAge({ metadata: one }: KubeObject, { metadata: other }: KubeObject): number {
  const [left = '', right = ''] = [one.creationTimestamp, other.creationTimestamp];
  return left < right ? -1 : left > right ? 1 : 0;
}

async function read(query: Query | Controllers, reader: Reader): Promise<readonly KubeObject[]> {
  if (query.what === 'controllers') return [];
  if (query.what === 'list') return reader.list(query);
  const object = await reader.get(query.ref);
  return object === undefined ? [] : [object];
}

/** An input that may be written was named by the owner, so it was read after it: the owner must not have moved since. */
async function stillTheSame(
  owner: KubeObject,
  at: { readonly ref: ObjectRef; readonly reader: Reader },
): Promise<void> {
  const now = await at.reader.get(at.ref);
  if (now?.metadata.resourceVersion === owner.metadata.resourceVersion && now?.metadata.uid === owner.metadata.uid)
    return;
  throw new KnudgeError('conflict', `${describe(at.ref)} changed while it was read`);
}
