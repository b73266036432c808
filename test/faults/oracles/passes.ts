import type { AskingWith } from '../../../packages/controller/decide/resource.ts';
import { controllerOf, type KubeObject, type ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { claimPrefix } from '../../../resources/distributed-service/names.ts';
import { isBelated, isNotice, isRead, keyOf, parentsOf, roleKeysOf, seenObject } from './accessors.ts';
import { isByList, leftOut, withListedChildren } from './looks.ts';

/**
 * One pass of a reconcile as its calls show it: children read, owner read, then writes. Inputs are not part of it, for
 * nothing but their place says whose they are.
 */
export interface Pass {
  readonly run: number;
  readonly parent: ObjectRef;
  readonly steps: readonly Step[];
  /** Whether another pass of the same run for the same parent follows. */
  readonly followed: boolean;
  /** A call to the parent came to the API server when its run had given it up: it is in no pass, and missing in one. */
  readonly lacks: boolean;
}

export interface Step {
  readonly call: TracedCall;
  /** `owner`, or the role of the child. */
  readonly role: string;
}

/**
 * Every pass of every run, in the order of their first calls. A child that is read after anything else begins one: so the children that a
 * look lists begin the pass that goes on from them, and the owner of that look is in none that writes.
 */
export function passesOf(trace: Trace): readonly Pass[] {
  const known = passesOfTraces.get(trace) ?? findPasses(trace);
  passesOfTraces.set(trace, known);
  return known;
}

const passesOfTraces = new WeakMap<Trace, readonly Pass[]>();

function findPasses(trace: Trace): readonly Pass[] {
  const roles = rolesOf(trace);
  const isNamed = claimsIn(trace);
  const calls = withListedChildren(trace);
  const open = new Map<string, OpenPass[]>();
  const busy = new Map<number, Set<string>>();
  for (const call of calls) {
    if (call.ref.name === '' || isNotice(call) || isBelated(call)) continue;
    for (const { parent, role } of roles.get(keyOf(call.ref)) ?? []) {
      const key = `${String(call.run)} ${keyOf(parent)}`;
      const passes = open.get(key) ?? [];
      open.set(key, passes);
      const parents = busy.get(call.run) ?? new Set();
      busy.set(call.run, parents.add(key));
      const place = { parent, before: passes.at(-1)?.steps ?? [], alone: parents.size === 1 };
      if (!isNamed(call) || !isReadByOthers(role, place)) addStep({ call, role }, passes, { run: call.run, parent });
    }
  }
  const belated = new Set(trace.calls.filter(isBelated).map(({ run, ref }) => `${run} ${keyOf(ref)}`));
  const lacks = ({ run, parent }: { run: number; parent: ObjectRef }): boolean =>
    belated.has(`${run} ${keyOf(parent)}`);
  return [...open.values()]
    .flatMap((passes) =>
      passes.map((pass, index) => ({ ...pass, followed: index + 1 < passes.length, lacks: lacks(pass) })),
    )
    .sort((one, other) => (one.steps[0]?.call.at ?? 0) - (other.steps[0]?.call.at ?? 0));
}

type OpenPass = Pick<Pass, 'run' | 'parent'> & { readonly steps: Step[] };

function addStep(step: Step, passes: OpenPass[], of: Pick<Pass, 'run' | 'parent'>): void {
  const last = passes.at(-1);
  if (last === undefined || begins(step, last.steps)) passes.push({ ...of, steps: [step] });
  else last.steps.push(step);
}

function begins({ call, role }: Step, before: readonly Step[]): boolean {
  if (role === 'owner' || !isRead(call)) return false;
  return before.some((step) => step.role === 'owner' || !isRead(step.call));
}

/** Whether a call is a GET of somebody whom a list of claims has shown before in the same run. */
function claimsIn({ calls }: Trace): (call: TracedCall) => boolean {
  const lists = calls.map((call) => ({ ...call, names: new Set(namedIn(call)) })).filter(({ names }) => names.size > 0);
  return ({ run, at, verb, ref }) =>
    verb === 'get' && lists.some((list) => list.run === run && list.at < at && list.names.has(keyOf(ref)));
}

/**
 * A parent that is read by the pass of another one, or of one of the same name that was made anew: it wants the same. Its own
 * pass reads it once, when all its children are read.
 */
function isReadByOthers(role: string, { parent, before, alone }: Place): boolean {
  if (role !== 'owner') return false;
  const read = new Set(before.filter(({ call }) => isRead(call) && isAnswered(call)).map((step) => step.role));
  const isAfterLook = before.some(({ call }) => isByList(call));
  const isSeen = (one: string): boolean => read.has(one) || (isAfterLook && leftOut.has(one));
  return read.has('owner') || (!alone && ![...roleKeysOf(parent).values()].every(isSeen));
}

interface Place extends Pick<Pass, 'parent'> {
  /** Of the pass that is open. */
  readonly before: readonly Step[];
  /** No other parent has a pass in this run. */
  readonly alone: boolean;
}

/** The keys of those whose Services a list of claims has found, or whom a Claim names. */
function namedIn({ verb, resource, query, seen }: TracedCall): readonly string[] {
  if (verb === 'get' && resource === 'claims') return holdersIn(seen.body);
  if (verb !== 'list' || resource !== 'services' || !query['labelSelector']?.startsWith(claimPrefix)) return [];
  const items = pick(seen.body, 'items');
  return (Array.isArray(items) ? (items as readonly KubeObject[]) : []).flatMap((service) => {
    const owner = controllerOf(service);
    if (owner === undefined) return [];
    const { apiVersion, kind, name } = owner;
    return [keyOf({ apiVersion, kind, namespace: service.metadata.namespace ?? '', name })];
  });
}

function holdersIn(body: unknown): readonly string[] {
  const services = pick(body, 'spec', 'services');
  const namespace = String(pick(body, 'spec', 'namespace'));
  const kind = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' };
  return (Array.isArray(services) ? services : []).map((one) =>
    keyOf({ ...kind, namespace, name: String(pick(one, 'name')) }),
  );
}

type Roles = ReadonlyMap<string, readonly { readonly parent: ObjectRef; readonly role: string }[]>;

function rolesOf(trace: Trace): Roles {
  const roles = new Map<string, { parent: ObjectRef; role: string }[]>();
  const add = (key: string, parent: ObjectRef, role: string): void => {
    roles.set(key, [...(roles.get(key) ?? []), { parent, role }]);
  };
  for (const parent of parentsOf(trace)) {
    add(keyOf(parent), parent, 'owner');
    for (const [key, role] of roleKeysOf(parent)) add(key, parent, role);
  }
  return roles;
}

/** The last answer to a GET of this role before that call; `read: false` where there was none. */
export function lastRead(
  { steps }: Pass,
  role: string,
  before = Number.POSITIVE_INFINITY,
): { readonly read: boolean; readonly object?: KubeObject; readonly at: number } {
  const step = steps.findLast(
    ({ call, role: own }) => own === role && call.verb === 'get' && call.at < before && isAnswered(call),
  );
  if (step === undefined) return { read: false, at: -1 };
  const object = seenObject(step.call);
  return { read: true, at: step.call.at, ...(object !== undefined && { object }) };
}

/** What a pass that looks at everything asks from: its children, as they were read. */
export function askedBy(pass: Pass, before?: number): Pick<AskingWith, 'children' | 'tries'> {
  const roles = [...roleKeysOf(pass.parent).values()];
  return { children: new Map(roles.map((role) => [role, lastRead(pass, role, before).object])), tries: true };
}

/** A read that showed an object, or that the object is missing. */
function isAnswered(call: TracedCall): boolean {
  return seenObject(call) !== undefined || call.seen.status === 404;
}

/**
 * What the run of a pass had read for it before that call: inputs after the owner, for a look reads some before it, and Claims from the
 * beginning.
 */
export function readsOf({ run, steps }: Pass, { calls }: Trace, before: number): readonly TracedCall[] {
  const from = steps[0]?.call.at ?? 0;
  const owner = steps.find(({ role }) => role === 'owner')?.call.at ?? from;
  const isOf = ({ at, resource }: TracedCall): boolean => at >= (resource === 'claims' ? from : owner) && at < before;
  return calls.filter((call) => call.run === run && isRead(call) && isOf(call));
}

export function writesOf({ steps }: Pass): readonly Step[] {
  return steps.filter(({ call }) => !isRead(call));
}

/** The pass that a call belongs to; of a child that two parents could have, the first. */
export function passOf(passes: readonly Pass[], call: TracedCall): Pass | undefined {
  return passes.find(({ run, steps }) => run === call.run && steps.some((step) => step.call === call));
}
