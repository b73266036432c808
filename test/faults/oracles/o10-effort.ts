import type { Oracle, Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf } from '../../../packages/controller/testing/trace-words.ts';
import { isBelated, isNotice, isRead, isRefused, keyOf, parentsIn } from './accessors.ts';
import { overBudget } from './budget.ts';
import type { OraclesWith } from './inspection.ts';
import { resourceOf } from './managed.ts';
import { askedBy, lastRead, type Pass, passesOf, writesOf } from './passes.ts';
import { queriesOf } from './reads.ts';

/** As the code has them: packages/controller/reconcile/reconcile.ts, packages/controller/cluster/transport.ts and packages/controller/cluster/pages.ts. */
const most = {
  passes: 8,
  restarts: 3,
  /** One read again after a failure, one call after a 401, a write refused for good once more, and again after each restart, and as many waits as fit into a second: 100, 200 and 400 ms. */
  tries: { failed: 2, unauthorized: 2, throttled: 4, refused: 2 },
  /** Objects of one page. */
  page: 250,
  /** Finalizers, authority, workload and status, and Events about them. */
  writesBesideChildren: 10,
  /** Milliseconds that an answer may take to be made after the deadline. */
  late: 1000,
  /** Answers to one resync at rest: its tick, its continuation, and twice what it asks after. */
  answersOfResync: 2,
} as const;

/**
 * O10: nobody works without bounds. Passes, restarts and tries of a run, its budget by the specs of its parents, the calls of a pass, the
 * time until the answer, pages of lists, and events once all is at rest. A write whose outcome nobody knows is never sent again.
 */
export function effort({ controllerNamespace, hash, deadlineSeconds }: OraclesWith): Oracle {
  return (trace) => {
    const { found, say } = findings('O10');
    const breaches = [
      ...lateAnswers(trace, deadlineSeconds),
      ...passBreaches(trace, { controllerNamespace, hash }),
      ...overBudget(trace, { controllerNamespace }),
      ...tryBreaches(trace),
      ...unpagedLists(trace),
    ];
    for (const { what, at } of breaches) say(what, at);
    const after = trace.answers.filter(({ at }) => at > trace.marks.rest);
    const bound = 2 * most.answersOfResync * (1 + parentsIn(trace.resting).length);
    if (after.length > bound) say(`${after.length} events were answered at rest, and ${bound} are enough`);
    return found;
  };
}

interface Breach {
  readonly what: string;
  readonly at: number;
}

function lateAnswers({ answers }: Trace, deadlineSeconds: number): readonly Breach[] {
  return answers
    .filter(({ ms }) => ms > deadlineSeconds * 1000 + most.late)
    .map(({ stem, ms, at }) => ({ what: `${stem} answered after ${ms} ms`, at }));
}

function unpagedLists({ calls }: Trace): readonly Breach[] {
  return calls
    .filter(({ verb, query }) => verb === 'list' && !(Number(query['limit'] ?? Number.NaN) <= most.page))
    .map(({ resource, at }) => ({ what: `${resource} were listed without pages`, at }));
}

type Asks = Pick<OraclesWith, 'controllerNamespace' | 'hash'>;

function passBreaches(trace: Trace, asks: Asks): readonly Breach[] {
  const byRun = Map.groupBy(passesOf(trace), ({ run, parent }) => `${String(run)} ${keyOf(parent)}`);
  return [...byRun.values()].flatMap((passes) => {
    const [first] = passes;
    if (first === undefined) return [];
    const at = first.steps[0]?.call.at ?? 0;
    const name = nameOf(first.parent);
    const restarts = passes.filter((pass) => pass.followed && isRestarted(pass)).length;
    return [
      ...passes.flatMap((pass) => callBreach(pass, asks)),
      ...(passes.length > most.passes ? [{ what: `${name} was gone through ${String(passes.length)} times`, at }] : []),
      ...(restarts > most.restarts ? [{ what: `${name} was begun anew ${String(restarts)} times`, at }] : []),
    ];
  });
}

/** A write failed, so that the next pass is a restart; one that was refused for good is reported in the next. */
function isRestarted(pass: Pass): boolean {
  return writesOf(pass).some(({ call }) => startsAnew(call));
}

function startsAnew(call: TracedCall): boolean {
  const { status } = call.seen;
  return !isRead(call) && !isRefused(call) && ([0, 404, 409].includes(status) || status >= 500);
}

/** Reads and writes of one pass, each with its tries. */
function callBreach(pass: Pass, asks: Asks): readonly Breach[] {
  const { steps, parent } = pass;
  const { object: owner } = lastRead(pass, 'owner');
  const resource = resourceOf(parent);
  const children = resource?.children(parent).size ?? 0;
  const reads = steps.map(({ call }) => call).filter(isRead);
  const inputs = owner && resource ? queriesOf(resource, owner, { ...asks, ...askedBy(pass), reads }).length : 0;
  const cap = (children + 3 + inputs) * most.tries.failed + children * 2 + most.writesBesideChildren;
  const logical = steps.filter(({ call }) => call.seen.status !== 429);
  if (logical.length <= cap) return [];
  return [{ what: `${nameOf(parent)} took ${String(logical.length)} calls in one pass`, at: steps[0]?.call.at ?? 0 }];
}

function tryBreaches(trace: Trace): readonly Breach[] {
  const byCall = Map.groupBy(
    trace.calls.filter((call) => !isNotice(call)),
    (call) => [call.run, call.verb, call.resource, keyOf(call.ref), JSON.stringify(call.query)].join(' '),
  );
  const reads = Map.groupBy(
    trace.calls.filter(({ verb }) => verb === 'get'),
    ({ run, ref }) => `${String(run)} ${keyOf(ref)}`,
  );
  // A list shows all that are there of a kind.
  const lists = trace.calls.filter(({ verb }) => verb === 'list');
  const failed = Map.groupBy(
    trace.calls.filter((call) => !isNotice(call) && startsAnew(call)),
    ({ run }) => run,
  );
  return [...byCall.values()].flatMap((calls) => {
    const [first] = calls;
    if (first === undefined) return [];
    const restarts = failed.get(first.run)?.length ?? 0;
    return [
      ...refusalBreach(calls, first, restarts),
      ...triesOf(calls, [
        ...(reads.get(`${String(first.run)} ${keyOf(first.ref)}`) ?? []),
        ...lists.filter(({ run, ref }) => run === first.run && keyOf({ ...first.ref, name: '' }) === keyOf(ref)),
      ]),
    ];
  });
}

/** What was read anew after a conflict may be decided anew, so it is asked for anew. */
function refusalBreach(
  calls: readonly TracedCall[],
  { verb, ref, at }: TracedCall,
  restarts: number,
): readonly Breach[] {
  const refused = calls.filter((call) => isRefused(call)).length;
  if (refused <= most.tries.refused + Math.min(restarts, most.restarts)) return [];
  return [{ what: `${verb} of ${nameOf(ref)} was refused ${refused} times in one run`, at }];
}

/** Calls of one kind to one object, one run: each row of failures between two other answers is one call with its tries. */
function triesOf(calls: readonly TracedCall[], reads: readonly TracedCall[]): readonly Breach[] {
  const breaches: Breach[] = [];
  const row = { throttled: 0, unauthorized: 0 };
  let before: TracedCall | undefined;
  for (const call of calls.filter((one) => !isBelated(one))) {
    const name = `${call.verb} of ${nameOf(call.ref)}`;
    const last = before?.at ?? call.at;
    const isLookedAt = reads.some(({ at }) => at > last && at < call.at);
    if (before !== undefined && isUnknown(before) && !isLookedAt && !isOfAnother(before, call)) {
      breaches.push({ what: `${name} was sent again although the first may have arrived`, at: call.at });
    }
    before = call;
    row.throttled = call.seen.status === 429 ? row.throttled + 1 : 0;
    row.unauthorized = call.seen.status === 401 ? row.unauthorized + 1 : 0;
    if (row.throttled > most.tries.throttled) breaches.push({ what: `${name} was throttled and went on`, at: call.at });
    if (row.unauthorized > most.tries.unauthorized)
      breaches.push({ what: `${name} was not let in and went on`, at: call.at });
  }
  return breaches;
}

/** Two parents of one run that need an authority make one each: that is not one creation sent twice. */
function isOfAnother(before: TracedCall, call: TracedCall): boolean {
  return call.verb === 'create' && JSON.stringify(before.body) !== JSON.stringify(call.body);
}

/** A write without an answer, or with one that does not say whether it was carried out. */
function isUnknown(call: TracedCall): boolean {
  return !isRead(call) && (call.seen.status === 0 || call.seen.status >= 500);
}
