import { canonical } from '../../../packages/controller/decide/canonical.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';
import type { Side } from '../../../packages/controller/testing/compare/differences.ts';
import type { Oracle, Trace, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { findings, pick } from '../../../packages/controller/testing/trace-words.ts';
import { byRuns, isParent, keyOf, keyOfObject, ownerUidOf, parentsIn, roleKeysOf } from './accessors.ts';
import { contendersOf } from './contenders.ts';
import { compare, masked } from './differences.ts';
import { inNamespaces } from './same-place.ts';

/**
 * O2: at rest all is as after the same scenario without faults, through the masks. Where somebody else's write, which a
 * fault may be, left a parent or what it hangs on in another form, that parent and its children are not compared: O1
 * judges them alone.
 */
export const differential: Oracle = (trace, clean) => {
  const { found, say } = findings('O2');
  if (clean === undefined) return found;
  const excused = excusedKeys(trace, clean);
  const side = (of: Trace): Side => ({
    trace: of,
    among: of.resting,
    objects: of.resting.filter(
      (object) => !excused.has(keyIn(of, object)) && !isClaimOf(object, of, excused) && !isLeftBehind(object, of),
    ),
  });
  for (const difference of compare(side(clean), side(trace))) {
    if (!isWayRoundFailed(difference, trace, clean) && !isOfFalseList(difference, trace))
      say(`not as without faults: ${difference}`);
  }
  return found;
};

/** Who holds what, where one of those who want it is another now. */
function isClaimOf(object: KubeObject, home: Trace, parents: ReadonlySet<string>): boolean {
  return object.kind === 'Claim' && claimantsOf(object).some((ref) => parents.has(inNamespaces(home, keyOf(ref))));
}

/**
 * A Claim without a living holder, where a list of Claims was made up to be empty while its service went: no API server does that. The
 * next service that wants what it is for takes it over.
 */
function isLeftBehind(object: KubeObject, trace: Trace): boolean {
  if (object.kind !== 'Claim') return false;
  const alive = new Set(parentsIn(trace.resting).map((parent) => keyOf(refOf(parent))));
  return hasFalseList(trace) && !claimantsOf(object).some((ref) => alive.has(keyOf(ref)));
}

/** The same of a service that has no Claim by such a list: without its profile it cannot find out again what it holds. */
function isOfFalseList(difference: string, trace: Trace): boolean {
  if (!difference.endsWith('differs at status.exposureDigest: "{hash}" and null')) return false;
  const isAway = (parent: KubeObject): boolean => JSON.stringify(pick(parent, 'status')).includes('"ServerProfile');
  return hasFalseList(trace) && parentsIn(trace.resting).some(isAway);
}

function hasFalseList({ calls }: Trace): boolean {
  return calls.some(({ verb, resource, fault }) => verb === 'list' && resource === 'claims' && fault !== undefined);
}

function claimantsOf(claim: KubeObject): readonly ObjectRef[] {
  const services = pick(claim, 'spec', 'services');
  const namespace = String(pick(claim, 'spec', 'namespace'));
  return (Array.isArray(services) ? services : []).map((one): ObjectRef => {
    return { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', namespace, name: String(pick(one, 'name')) };
  });
}

/** States depend on the way: with a tunnel that is up, what has Failed on it is Updating then, and not Provisioning. */
function isWayRoundFailed(difference: string, trace: Trace, clean: Trace): boolean {
  if (!difference.endsWith('differs at status.state: "Provisioning" and "Updating"')) return false;
  const hasFailed = ({ changes }: Trace): boolean =>
    changes.some(({ object }) => isParent(object) && pick(object, 'status', 'state') === 'Failed');
  return hasFailed(trace) && !hasFailed(clean);
}

/** What a person's extra writes have changed for good, and all that follows from it. */
function excusedKeys(trace: Trace, clean: Trace): ReadonlySet<string> {
  if (extraWrites(trace, clean).length === 0) return new Set();
  const [theirs, ours] = [wishesOf(trace), wishesOf(clean)];
  const changed = [...new Set([...theirs.keys(), ...ours.keys()])].filter((key) => theirs.get(key) !== ours.get(key));
  // The states of a parent that was made anew begin anew: what was Updating is Provisioning.
  const remade = [...recreated(trace), ...recreated(clean)];
  const rivals = [trace, clean].flatMap((home) => rivalKeys(home, new Set([...remade, ...changed])));
  const anew = new Set([...remade, ...rivals, ...halted(trace, clean)]);
  if (changed.length === 0) return anew;
  const families = [trace, clean].flatMap((home) => parentsIn(home.resting).map((parent) => familyOf(parent, home)));
  const isInput = (key: string): boolean => !families.some((family) => family.includes(key));
  const all = changed.some(isInput);
  const concerned = families.filter((family) => all || family.some((key) => changed.includes(key)));
  const besides = concerned.length > 0 ? [trace, clean].flatMap(writtenByRuns).filter(isInput) : [];
  return new Set([...anew, ...changed, ...concerned.flat(), ...besides]);
}

/** Who wanted the same as one that is another now, or gone, gets it or does not; with all children. */
function rivalKeys(home: Trace, moved: ReadonlySet<string>): readonly string[] {
  const parents = parentsIn([...home.resting, ...home.changes.map(({ object }) => object)]);
  const isMoved = (parent: KubeObject): boolean => familyOf(parent, home).some((key) => moved.has(key));
  const own = new Set(parents.filter(isMoved).map(keyOfObject));
  const rivals = contendersOf(home, own);
  return parents.filter((parent) => rivals.has(keyOfObject(parent))).flatMap((parent) => familyOf(parent, home));
}

/** Also the authority of a profile and a workload that was scaled: what no parent wants any more, or none wants yet. */
function writtenByRuns(trace: Trace): readonly string[] {
  return byRuns(trace.changes).map(({ object }) => keyIn(trace, object));
}

/** Parents that a person made while another of that name had been there. */
function recreated(trace: Trace): readonly string[] {
  const made = trace.changes.filter(
    ({ by, type, object }) => by.who === 'user' && type === 'ADDED' && isParent(object),
  );
  const gone = trace.changes.filter(({ type, object }) => type === 'DELETED' && isParent(object));
  const keys = new Set(gone.map(({ object }) => keyIn(trace, object)));
  return made.map(({ object }) => keyIn(trace, object)).filter((key) => keys.has(key));
}

/** A service that only a person can mend keeps what it has: what a person took away of it stays away. */
function halted(trace: Trace, clean: Trace): readonly string[] {
  const extra = extraWrites(trace, clean);
  const failed = parentsIn(trace.resting).filter((parent) => pick(parent, 'status', 'state') === 'Failed');
  const families = failed.map((parent) => familyOf(parent, trace));
  return families.filter((family) => family.some((key) => extra.includes(key))).flat();
}

/** What persons wrote more often, or more seldom, than in the run without faults. */
function extraWrites(trace: Trace, clean: Trace): readonly string[] {
  const [mine, theirs] = [countsOf(trace), countsOf(clean)];
  return [...new Set([...mine.keys(), ...theirs.keys()])].filter((key) => mine.get(key) !== theirs.get(key));
}

/** Of each object how often persons made it, changed it and took it away. */
function countsOf(trace: Trace): ReadonlyMap<string, string> {
  const byPersons = trace.changes.filter(({ by }) => by.who === 'user');
  const ofObject = Map.groupBy(byPersons, ({ object }) => keyIn(trace, object));
  return new Map([...ofObject].map(([key, changes]) => [key, canonical(changes.map(whatWasDone).sort())]));
}

/** What is held by a finalizer is only marked when it is deleted. */
function whatWasDone({ type, object }: TracedChange): string {
  return object.metadata.deletionTimestamp === undefined ? type : 'DELETED';
}

/** What persons want at the end: of a parent its spec, of what is ours nothing, of all that they made everything. */
function wishesOf(trace: Trace): ReadonlyMap<string, string> {
  const made = new Map(
    trace.changes.filter(({ type }) => type === 'ADDED').map(({ object, by }) => [keyIn(trace, object), by.who]),
  );
  const families = new Set(parentsIn(trace.resting).flatMap((parent) => familyOf(parent, trace)));
  return new Map(
    [...masked({ trace, objects: trace.resting }).values()].flatMap((value) => {
      const object = value as KubeObject & { readonly spec?: unknown };
      const key = keyOfObject(object);
      if (isParent(object)) return [[key, canonical([object.spec, object.metadata.deletionTimestamp !== undefined])]];
      const isMarked = ownerUidOf(object) !== undefined || object.metadata.labels?.[labels.ownerUid] !== undefined;
      const isOurs = (families.has(key) && isMarked) || made.get(key) === 'run';
      return isOurs && made.get(key) !== 'user' ? [] : [[key, canonical(value)]];
    }),
  );
}

/** The parent and every child it may have. */
function familyOf(parent: KubeObject, home: Trace): readonly string[] {
  return [keyOfObject(parent), ...roleKeysOf(refOf(parent)).keys()].map((key) => inNamespaces(home, key));
}

/** A key that is the same in both runs, whatever their namespaces are called. */
function keyIn(trace: Trace, object: KubeObject): string {
  return inNamespaces(trace, keyOfObject(object));
}
