import { controllerOf, describe, groupOf, type KubeObject, refOf } from '../domain/kube-object.ts';
import { annotations, labels, manager, shortHash } from '../domain/names.ts';
import { type Observed, type Plan, targetOf, type Write } from '../domain/plan.ts';
import { canonical } from './canonical.ts';
import { countWrite, type RecentWrite, readCounts, recent } from './recent-writes.ts';
import type { Given, Resource } from './resource.ts';
import { tellWrite } from './tell-write.ts';

interface Owner extends KubeObject {
  readonly status?: { readonly recentWrites?: unknown };
}

/**
 * A resource whose loops end. If an object is written again and again although neither the spec nor what it hangs on has changed, the
 * net holds it back, reports `Flapping`, and tries it again slowly. The status keeps how often each object was written, and every
 * write ends with a status: so instances and processes share the count, and at rest nothing is written.
 * @param all the resources of the controller, whose statuses are its own work too
 */
export function withNet(resource: Resource, all: readonly Pick<Resource, 'apiVersion'>[] = [resource]): Resource {
  const groups = all.map(({ apiVersion }) => groupOf(apiVersion)).filter((group) => group.includes('.'));
  const netted = { ...resource, groups: new Set(groups) };
  return { ...resource, decide: (observed, given) => decideInNet(netted, observed, given) };
}

interface Netted extends Resource {
  /** Those of custom resources that are parents of the controller. */
  readonly groups: ReadonlySet<string>;
}

function decideInNet(resource: Netted, observed: Observed, given: Given): Plan {
  const { bare, before } = withoutCounts(observed);
  const plan = resource.decide(bare, given);
  if (plan.writes.length === 0) return plan;
  const owner = refOf(observed.owner);
  const causes = causesOf(resource, observed, given);
  const counted = writesToCount(plan).map((write) => {
    const object = nameOf(write, observed.owner);
    const entry = before.find((one) => one.object === object);
    const inputs = causes[causeOf(write)];
    return { write, ...countWrite({ object, entry, inputs, isRepair: isRepair(write) }, given) };
  });
  const stopped = counted.filter(({ until }) => until !== undefined);
  const held = new Map(
    stopped.map(({ write, entry, until = '' }) => {
      const what = `${describe(targetOf(write, owner))}${write.do === 'status' ? ' (its status)' : ''}`;
      return [entry.object, { sentence: tellWrite({ what, write, entry, until, owner: observed.owner }), until }];
    }),
  );
  const counts = [
    ...before.filter((one) => !counted.some(({ entry }) => entry.object === one.object)),
    ...counted.map(({ entry }) => entry),
  ];
  if (held.size === 0) return withCounts(plan, recent(counts, given.now));
  const told = toldAlready(
    observed.owner,
    [...held.values()].map(({ until }) => until),
  );
  if (told !== undefined && stopped.some(({ write }) => write.do === 'status'))
    return { ...plan, writes: [], notices: [], again: false };
  const message = told ?? [...held.values()].map(({ sentence }) => sentence).join('; ');
  const slowed = resource.decide(bare, { ...given, held: { objects: new Set(held.keys()), message } });
  return withCounts(slowed, recent(counts, given.now));
}

/** How a write's object is named where writes are counted. */
export function nameOf(write: Write, owner: KubeObject): string {
  if (write.do === 'status' || write.do === 'finalizers') return write.do;
  const { kind, name } = targetOf(write, refOf(owner));
  return `${kind} ${name}`;
}

/** A status that follows other writes is theirs. */
function writesToCount({ writes }: Plan): readonly Write[] {
  return writes.filter((write) => write.do !== 'status' || writes.length === 1);
}

/** A workload is scaled for the spec's sake alone: what follows from that is no reason to do it again. */
function causeOf(write: Write): 'spec' | 'inputs' | 'seen' {
  if (write.do === 'status') return 'seen';
  return write.do === 'scale' || write.do === 'finalizers' ? 'spec' : 'inputs';
}

/** What was written before is written once more: nothing that it is made from has changed. */
function isRepair(write: Write): boolean {
  if (write.do !== 'apply') return false;
  const [wanted, live] = [write.object, write.live].map(({ metadata }) => metadata.annotations?.[annotations.specHash]);
  return wanted === live;
}

/** The decision is about the rest of the status: what was counted is no part of it. */
function withoutCounts(observed: Observed): { readonly bare: Observed; readonly before: readonly RecentWrite[] } {
  const owner: Owner = observed.owner;
  const { recentWrites, ...status } = owner.status ?? {};
  if (recentWrites === undefined) return { bare: observed, before: [] };
  const bare: Owner = { ...owner, status };
  return { bare: { ...observed, owner: bare }, before: readCounts(recentWrites) };
}

function withCounts(plan: Plan, recentWrites: readonly RecentWrite[]): Plan {
  const writes = plan.writes.map((write): Write => {
    if (write.do !== 'status' || recentWrites.length === 0) return write;
    const status = { ...write.status, recentWrites };
    return { ...write, status };
  });
  return { ...plan, writes };
}

/**
 * What children are made from: the spec, and inputs that are not our own work, for a loop through those changes them each time. What
 * a status is made from: all that was seen but the status itself.
 */
function causesOf(resource: Netted, { owner, children, inputs }: Observed, given: Given) {
  const { controllerNamespace, hash, controller = manager } = given;
  const written = new Set(
    resource
      .inputs(owner, { controllerNamespace, hash, children, tries: false, found: inputs })
      .flatMap(({ name, written: is }) => (is ? [name] : [])),
  );
  const of = (objects: readonly (KubeObject | undefined)[]): readonly string[] =>
    objects.flatMap((one) => (one === undefined ? [] : [versionOf(one, resource.groups)])).sort();
  const all = [...inputs].flatMap(([name, objects]) => objects.map((object) => ({ name, object })));
  const others = all
    .filter(({ name, object }) => !written.has(name) && !isOurs(object, controller))
    .map(({ object }) => object);
  const { generation, deletionTimestamp } = owner.metadata;
  return {
    spec: shortHash(canonical([generation, deletionTimestamp])),
    inputs: shortHash(canonical([generation, deletionTimestamp, of(others)])),
    seen: shortHash(
      canonical([generation, deletionTimestamp, of(all.map(({ object }) => object)), of([...children.values()])]),
    ),
  };
}

/** An EndpointSlice has the labels of our Service, but the Pods in it are others'. */
function isOurs({ kind, metadata }: KubeObject, controller: string): boolean {
  return kind !== 'EndpointSlice' && metadata.labels?.[labels.managedBy] === controller;
}

/** Of a parent of ours its generation, for its status is our own work. */
function versionOf(object: KubeObject, groups: ReadonlySet<string>): string {
  const { uid, resourceVersion, generation, deletionTimestamp } = object.metadata;
  const isParent = groups.has(groupOf(object.apiVersion)) && controllerOf(object) === undefined;
  return canonical([uid, isParent ? [generation, deletionTimestamp] : resourceVersion]);
}

interface Told extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly reason?: string; readonly message?: string }[] };
}

/** The sentence that stands there already, if it speaks of the same waits: else each change back and forth would make a new sentence. */
function toldAlready({ status }: Told, untils: readonly string[]): string | undefined {
  const told = status?.conditions?.find(({ reason }) => reason === flapping)?.message;
  return untils.every((until) => told?.includes(until)) ? told : undefined;
}

/** The reason of a condition whose object is held back. */
const flapping = 'Flapping';
