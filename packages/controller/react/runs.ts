import { counted } from '../cluster/counted.ts';
import type { Budget } from '../domain/budget.ts';
import type { Change } from '../domain/change.ts';
import type { Tried } from '../domain/delivery.ts';
import { asKnudgeError, KnudgeError } from '../domain/errors.ts';
import { describe, type ObjectRef } from '../domain/kube-object.ts';
import type { Outcome } from '../domain/plan.ts';
import type { Traced } from '../domain/spans.ts';
import { timeOf } from '../domain/time.ts';
import { keyOf, refOfKey } from '../reconcile/key.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { keepRepairs, type Repairs } from '../reconcile/repairs.ts';
import { share } from '../reconcile/share.ts';
import { createTrace } from '../server/trace.ts';
import { hashOf } from './hash.ts';
import { type KnownVersions, keepKnownVersions } from './known-versions.ts';
import { sleep } from './outside.ts';
import type { RunParts } from './parts.ts';
import { keepPatience, type Patience } from './patience.ts';
import { beginRun, endingRun, sentTraceOf, tracedBy } from './traced.ts';
import { withinOf } from './within.ts';

/** Why a run over a parent is asked for. */
export interface Ask {
  readonly change: Change;
  /** Whether the run also asks programs that are not the API server, such as the one in a Pod. */
  readonly asks: boolean;
  /** Whether something that the parent waits for has changed. */
  readonly wakes: boolean;
  /** Whether there is something to learn that no object shows. */
  readonly insists: boolean;
  /** Gets what came of each write of the run, also of one that ends when the event has been answered; absent where nobody reports it. */
  readonly note?: ((tried: Tried) => void) | undefined;
  /** The span of the event; absent where nothing is traced. */
  readonly traced?: Traced | undefined;
}

/** The runs of one process, shared by all functions that it serves: each parent is made right by one at a time, whatever kind of event asks. */
export interface Runs {
  readonly parts: RunParts;
  readonly patiently: Patience;
  /** Makes a parent right; events that come during a run share the next. Nothing is read for an event about known versions alone. */
  makeRight(ref: ObjectRef, ask: Ask): Promise<Outcome>;
  /** What would be written. */
  plan(ref: ObjectRef, ask: Ask): Promise<Outcome>;
}

/** Keeps the runs of a process, and which versions they know. */
export function keepRuns(parts: RunParts): Runs {
  const patiently = keepPatience(parts.outside.elapsed);
  const known = keepKnownVersions();
  const run = reconciler(parts, { patiently, known });
  const traced = (
    ref: ObjectRef,
    wish: Wish & { readonly dryRun: boolean },
    asks: readonly Ask[],
  ): Promise<Outcome> => {
    const begun = beginRun(ref, asks);
    const running = run(ref, wish, { note: noteFor(asks), traced: begun });
    return begun === undefined ? running : endingRun(begun, running);
  };
  const waiting = new Map<string, Ask[]>();
  const shared = share(async (key: string): Promise<Outcome> => {
    const asks = waiting.get(key) ?? [];
    waiting.delete(key);
    // Not before: the run that has just ended may have read, or made, this version.
    const news = asks.filter(({ change, wakes, insists }) => wakes || insists || !known.isTold(key, change));
    const ref = refOfKey(key);
    if (news.length === 0) return { result: 'ignored', reads: 0, writes: 0, parents: [ref] };
    return traced(ref, { dryRun: false, ...wishOf(news) }, asks);
  });
  return {
    parts,
    patiently,
    plan: (ref, ask) => traced(ref, { dryRun: true, ...wishOf([ask]) }, [{ ...ask, note: undefined }]),
    makeRight: (ref, ask) => {
      const key = keyOf(ref, parts.resources);
      waiting.set(key, [...(waiting.get(key) ?? []), ask]);
      return shared(key);
    },
  };
}

/** Each of those who share a run is a cause of what it writes. */
function noteFor(asks: readonly Ask[]): Ask['note'] {
  const notes = asks.flatMap(({ note }) => note ?? []);
  if (notes.length === 0) return undefined;
  return (tried) => {
    for (const note of notes) note(tried !== undefined && asks.length > 1 ? { ...tried, shared: true } : tried);
  };
}

/** What a run is to do for all who share it. */
interface Wish {
  /** Whether the run also asks programs that are not the API server, such as the one in a Pod. */
  readonly asks: boolean;
  /** Whether nobody but the resync has asked for it. */
  readonly byResync: boolean;
  /** Whether the resync is among those who asked for it: what waits for its next try does not wait. */
  readonly tries: boolean;
  /** Whether something that it waits for has changed. */
  readonly wakes: boolean;
  /** What it was asked about; absent where one of them wants all to be read. */
  readonly about?: readonly ObjectRef[];
}

/** A shared run asks servers outside of the API, or reads all, if any of its callers wanted that. */
function wishOf(asks: readonly Ask[]): Wish {
  const resyncs = asks.filter(({ change }) => change.byResync === true);
  const wakes = asks.some((ask) => ask.wakes);
  // The resync and a person who asks, or replays, want to know that all is right, whatever the status says.
  const isEnough = !wakes && asks.every(({ change }) => isNews(change));
  return {
    asks: asks.some((ask) => ask.asks),
    // A run that anybody else shares with the resync repairs nothing that was not announced.
    byResync: resyncs.length === asks.length,
    tries: resyncs.length > 0,
    wakes,
    ...(isEnough && { about: asks.map(({ change }) => change.ref) }),
  };
}

/** Whether somebody saw something change: a look is enough then. */
function isNews({ hint, byInput, isReplay }: Change): boolean {
  return byInput === true || (hint !== undefined && isReplay !== true);
}

/** Each pass adds what it may cost. */
const nothing: Budget = { reads: 0, writes: 0, bytes: 0 };

/** Reconciles one parent and records it in the metrics; counts what it read and wrote. */
function reconciler(
  parts: RunParts,
  { patiently, known: versions }: { readonly patiently: Patience; readonly known: KnownVersions },
) {
  const { cluster, config, log, metrics, outside, resources } = parts;
  const { elapsed } = outside;
  const fixed = { hash: hashOf, controllerNamespace: config.controllerNamespace, apiServer: cluster.host };
  const given = () => ({ now: timeOf(cluster.now() / 1000), ...fixed });
  const pause = (tries: number): Promise<void> => sleep(pauseMs(tries, outside.random()), outside);
  return async (
    ref: ObjectRef,
    { dryRun, asks, byResync, ...wish }: Wish & { readonly dryRun: boolean },
    { note, traced }: Pick<Ask, 'note' | 'traced'>,
  ): Promise<Outcome> => {
    const started = elapsed();
    const took = () => ({ seconds: (elapsed() - started) / 1000, traceId: sentTraceOf(traced) });
    const within = withinOf(nothing, { about: `to make ${describe(ref)} right`, parts });
    const { reader, writer, counts, allow, isSpent, trial } = counted(tracedBy(traced, cluster), within, note);
    const repairs = byResync ? keepRepairs() : undefined;
    const trace = createTrace(log.child({ parent: describe(ref) }), elapsed);
    try {
      const did = { dryRun, trial, repairs, traced };
      const using = { reader, writer, resources, asks, trace, given, pause, allow, ...did, ...wish };
      const key = keyOf(ref, resources);
      const { result, plans, known } = await patiently(key, { isSpent, run: () => reconcile(ref, using) });
      versions.note(key, known);
      metrics.reconciled(ref.kind, result, took());
      const { reads, writes } = counts();
      return { result, reads, writes, parents: [ref], ...(plans && { plans }) };
    } catch (error) {
      metrics.reconciled(ref.kind, 'error', took());
      const { code, message, retryAfterSeconds } = asKnudgeError(error);
      metrics.reconcileFailed(code);
      const { reads, writes } = counts();
      const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
      throw new KnudgeError(code, message, { cause: error, counts: { reads, writes }, ...retry });
    } finally {
      await tell(ref, repairs, { cluster, log, metrics });
    }
  };
}

/** Also where a later write failed: the next try finds nothing to do there, and would report nothing. */
async function tell(
  { kind, namespace, name }: ObjectRef,
  repairs: Repairs | undefined,
  { cluster, log, metrics }: Pick<RunParts, 'cluster' | 'log' | 'metrics'>,
): Promise<void> {
  const repair = repairs?.made();
  if (repair === undefined) return;
  metrics.resyncRepaired(kind);
  log.info({ kind, namespace, name, repaired: repair.what }, 'found by the resync');
  await cluster.notice(repair.parent, repair.notice);
}

/** 50 ms, doubled with each try, and up to as much again at random: two that met do not meet again. */
function pauseMs(tries: number, random: number): number {
  return 25 * 2 ** tries * (1 + random);
}
