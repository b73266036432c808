import type { Budget } from '../domain/budget.ts';
import { asKnudgeError, KnudgeError } from '../domain/errors.ts';
import { describe, type ObjectRef } from '../domain/kube-object.ts';
import { lifetimes as usual } from '../domain/lifetimes.ts';
import type { Outcome } from '../domain/plan.ts';
import { timeOf } from '../domain/time.ts';
import type { Cluster } from '../kube/cluster.ts';
import { counted, type Within } from '../kube/counted.ts';
import { keyOf, refOfKey } from '../reconcile/key.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { keepRepairs, type Repairs } from '../reconcile/repairs.ts';
import { share } from '../reconcile/share.ts';
import type { Config } from '../server/config.ts';
import type { createLog } from '../server/log.ts';
import type { Metrics } from '../server/metrics.ts';
import { createTrace } from '../server/trace.ts';
import { hashOf } from './hash.ts';
import { type Outside, sleep } from './outside.ts';
import { keepPatience, type Patience } from './patience.ts';

export interface RunParts {
  readonly cluster: Cluster;
  readonly config: Pick<Config, 'controllerNamespace' | 'handlerDeadlineSeconds' | 'images'>;
  readonly log: ReturnType<typeof createLog>;
  readonly metrics: Pick<Metrics, 'reconciled' | 'reconcileFailed' | 'resyncRepaired'>;
  readonly outside: Outside;
}

/** What one event wants of the run of a parent. */
export interface Wish {
  readonly dryRun: boolean;
  /** Whether it asks who runs outside of the API server. */
  readonly asks: boolean;
  /** Whether the event is one of the resync. */
  readonly byResync: boolean;
  /** Whether a claim that the parent waits for has changed. */
  readonly wakes: boolean;
}

/** The runs of one process, shared by all functions that it serves: each parent is made right by one run at a time, whatever kind of event asks. */
export interface Runs {
  readonly parts: RunParts;
  readonly patiently: Patience;
  /** Makes a parent right, or shows how where the wish is for a dry run, which is shared with nobody. */
  readonly makeRight: (ref: ObjectRef, wish: Wish) => Promise<Outcome>;
}

export function keepRuns(parts: RunParts): Runs {
  const patiently = keepPatience(parts.outside.elapsed);
  const run = reconciler(parts, patiently);
  // Whoever shares a run gets what the most curious of them wanted.
  const asking = new Set<string>();
  // A run that anybody else shares with the resync repairs nothing that was not announced.
  const announced = new Set<string>();
  const resyncing = new Set<string>();
  const waking = new Set<string>();
  const shared = share((key: string) => {
    const how = {
      asks: asking.delete(key),
      byResync: !announced.delete(key),
      tries: resyncing.delete(key),
      wakes: waking.delete(key),
    };
    return run(refOfKey(key), { dryRun: false, ...how });
  });
  return {
    parts,
    patiently,
    makeRight: async (ref, { dryRun, asks, byResync, wakes }) => {
      if (dryRun) return run(ref, { dryRun, asks, byResync: false, tries: false, wakes });
      const key = keyOf(ref);
      if (asks) asking.add(key);
      if (wakes) waking.add(key);
      (byResync ? resyncing : announced).add(key);
      return shared(key);
    },
  };
}

/** Each pass adds what it may cost. */
const nothing: Budget = { reads: 0, writes: 0, bytes: 0 };

/**
 * An event is answered when its deadline is over. What it has begun goes on, for the next try then finds that done; but nothing is asked
 * later than three deadlines after it began.
 */
const deadlines = 3;

/** How long and how far something may read and write that an event has begun. */
export function withinOf(
  budget: Budget,
  {
    about,
    parts: { config, outside },
  }: { readonly about: string; readonly parts: Pick<RunParts, 'config' | 'outside'> },
): Within {
  const milliseconds = deadlines * config.handlerDeadlineSeconds * 1000;
  return { budget, about, milliseconds, elapsed: outside.elapsed };
}

interface Run extends Wish {
  /** Whether nobody but the resync has asked for it. */
  readonly byResync: boolean;
  /** Whether the resync is among those who asked for it: what waits for its next try does not wait. */
  readonly tries: boolean;
}

/** Reconciles one parent and tells the metrics; counts what it read and wrote. */
function reconciler(parts: RunParts, patiently: Patience) {
  const { cluster, config, log, metrics, outside } = parts;
  const { elapsed, issuer, newToken, lifetimes = usual } = outside;
  const { images, controllerNamespace } = config;
  const fixed = { hash: hashOf, newToken, images, controllerNamespace, apiServer: cluster.host, lifetimes };
  const given = () => ({ now: timeOf(cluster.now() / 1000), ...fixed });
  const pause = (tries: number): Promise<void> => sleep(pauseMs(tries, outside.random()), outside);
  return async (ref: ObjectRef, { dryRun, asks, byResync, tries, wakes }: Run): Promise<Outcome> => {
    const started = elapsed();
    const within = withinOf(nothing, { about: `to make ${describe(ref)} right`, parts });
    const { reader, writer, counts, allow, isSpent } = counted(cluster, within);
    const askTunnel = asks ? outside.askTunnel : undefined;
    const repairs = byResync ? keepRepairs() : undefined;
    const trace = createTrace(log.child({ parent: describe(ref) }), elapsed);
    try {
      const using = { reader, writer, issuer, trace, askTunnel, given, pause, allow, dryRun, repairs, tries, wakes };
      const { result, plans } = await patiently(keyOf(ref), { isSpent, run: () => reconcile(ref, using) });
      metrics.reconciled(ref.kind, result, (elapsed() - started) / 1000);
      const { reads, writes } = counts();
      return { result, reads, writes, parents: [ref], ...(plans && { plans }) };
    } catch (error) {
      metrics.reconciled(ref.kind, 'error', (elapsed() - started) / 1000);
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

/** Also where a later write failed: the next try finds nothing to do there, and would tell nobody. */
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
