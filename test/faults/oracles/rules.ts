import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { insistedOn } from '../../../packages/controller/testing/insisted-on.ts';
import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { hasFailed, hasSucceeded, isBelated, isNotice, isParent, isRead, keyOf, seenObject } from './accessors.ts';
import { lastRead, type Pass, type Step, writesOf } from './passes.ts';
import { preconditionBreach } from './preconditions.ts';

interface Breach {
  readonly what: string;
  readonly at: number;
}

/** Where a run broke R1 (children, then owner, then inputs), R2 (preconditions) or R3 (the status last). */
export function ruleBreaches(trace: Trace, passes: readonly Pass[]): readonly Breach[] {
  const inPasses = passes.flatMap((pass) => writesOf(pass).flatMap((write) => breachesOf(pass, write)));
  const scales = trace.calls.flatMap((call) => scaleBreach(call, trace));
  return [
    ...inPasses,
    ...scales,
    ...passes.flatMap((pass) => unprovenWrites(pass, trace)),
    ...trace.calls.flatMap(cachedRead),
  ];
}

function breachesOf(pass: Pass, { call, role }: Step): readonly Breach[] {
  const name = nameOf(call.ref);
  const told = [
    role === 'owner' ? undefined : readOrderBreach(pass, call, role),
    preconditionBreach(pass, call, role),
    afterFailure(pass, call)
      ? `was written after a write that failed, without a look at what is true now (R2)`
      : undefined,
    role !== 'owner' && afterStatus(pass, call) ? 'was written after the status (R3)' : undefined,
  ];
  return told.flatMap((what) => (what === undefined ? [] : [{ what: `${name} ${what}`, at: call.at }]));
}

/** R1: the child was read, and the owner after it, before the write. */
function readOrderBreach(pass: Pass, call: TracedCall, role: string): string | undefined {
  const child = lastRead(pass, role, call.at);
  const owner = lastRead(pass, 'owner', call.at);
  if (!child.read) return 'was written without having been read (R1)';
  if (!owner.read) return 'was written without its owner having been read after it (R1)';
  return owner.at < child.at ? 'was written from an owner that was read before it (R1)' : undefined;
}

/** A call that is throttled or not let in was not carried out and may be sent again. */
function isRetry(before: TracedCall, call: TracedCall): boolean {
  const isSame =
    before.verb === call.verb && before.resource === call.resource && nameOf(before.ref) === nameOf(call.ref);
  return isSame && (before.seen.status === 429 || before.seen.status === 401);
}

function afterFailure(pass: Pass, call: TracedCall): boolean {
  const before = writesOf(pass)
    .map((step) => step.call)
    .filter((other) => other.at < call.at)
    .at(-1);
  if (before === undefined || !hasFailed(before)) return false;
  return !isRetry(before, call);
}

function afterStatus(pass: Pass, call: TracedCall): boolean {
  return writesOf(pass).some(({ call: other }) => other.at < call.at && isStatus(other) && hasSucceeded(other));
}

function isStatus({ resource, ref }: TracedCall): boolean {
  return resource.endsWith('/status') && isParent(ref);
}

/** R3: children that were written, and no status after them although the run went on as if it had been. */
function unprovenWrites(pass: Pass, { calls }: Trace): readonly Breach[] {
  const last = writesOf(pass).at(-1)?.call;
  if (last === undefined || !pass.followed || pass.lacks || isParent(last.ref)) return [];
  // An authority or a workload is of no parent's pass, and its failure ends one all the same.
  const from = pass.steps[0]?.call.at ?? 0;
  const isHindered = calls.some(
    (call) => call.run === pass.run && call.at >= from && !isRead(call) && !isNotice(call) && !hasSucceeded(call),
  );
  return isHindered
    ? []
    : [{ what: `${nameOf(pass.parent)} was not written after its children were (R3)`, at: last.at }];
}

/** R2 for a workload, which is no child but is written too. */
function scaleBreach(call: TracedCall, { calls }: Trace): readonly Breach[] {
  if (!call.resource.endsWith('/scale') || isRead(call) || isBelated(call)) return [];
  const steps = calls
    .filter((other) => other.run === call.run && keyOf(other.ref) === keyOf(call.ref))
    .map((other) => ({ call: other, role: 'workload' }));
  const what = preconditionBreach(
    { run: call.run, parent: call.ref, steps, followed: false, lacks: false },
    call,
    'workload',
  );
  const told = what ?? oldWish(call, calls);
  return told === undefined ? [] : [{ what: `${nameOf(call.ref)} ${told}`, at: call.at }];
}

/** R1 for a workload: which one it is only its parent says, so that is read once more after it. */
function oldWish(call: TracedCall, calls: readonly TracedCall[]): string | undefined {
  const before = calls.filter((other) => other.run === call.run && other.at < call.at && other.verb === 'get');
  const { resourceVersion } = insistedOn(call);
  const isThat = (object: KubeObject | undefined): boolean => object?.metadata.resourceVersion === resourceVersion;
  const looked = before.find((other) => keyOf(other.ref) === keyOf(call.ref) && isThat(seenObject(other)))?.at ?? -1;
  const isOwnerKnown = before.some(({ ref, at }) => isParent(ref) && at > looked);
  return isOwnerKnown ? undefined : 'was scaled without its parent having been read after it (R1)';
}

/** A read with a resourceVersion may be answered from an old cache (KEP-2340 describes which are not). */
function cachedRead(call: TracedCall): readonly Breach[] {
  if (!isRead(call) || isNotice(call) || pick(call.query, 'resourceVersion') === undefined) return [];
  return [
    { what: `${nameOf(call.ref)} was read with a resourceVersion, so maybe from an old cache (R1)`, at: call.at },
  ];
}
