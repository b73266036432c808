import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Look } from '../../packages/controller/cluster/look.ts';
import type { Condition } from '../../packages/controller/domain/conditions.ts';
import type { Delivery } from '../../packages/controller/domain/delivery.ts';
import { asKnudgeError, KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { LogReader } from '../../packages/controller/domain/event-log.ts';
import { describe, type KubeObject, type ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { guessedPlural } from '../../packages/controller/domain/plural.ts';
import { type BrokerOptions, source } from '../broker.ts';
import { at, conditionOf } from '../doctor/seen.ts';
import { openLog } from '../open-log.ts';
import { withLook } from './with-look.ts';

/** What came of an event for one object of a cluster. */
export interface SeenInCluster {
  readonly outcome: string;
  /** Whether a function reported it, or the object shows it. */
  readonly by: 'delivery' | 'status';
  readonly failed: boolean;
}

/** Milliseconds between two looks. */
const pauseMs = 500;

type Log = Pick<LogReader, 'events' | 'deliveries'>;

export interface Waiting extends Pick<BrokerOptions, 'namespace' | 'dir' | 'timeout'> {
  readonly kubeconfig: string;
  /** Sends the event; gives its id. */
  readonly send: () => Promise<{ readonly id: string }>;
}

/**
 * Sends an event for one object and waits for its outcome: as a function reports it to the event log, else as the object shows it.
 * Fails if neither comes within the time-out.
 */
export async function waitInCluster(
  object: ObjectRef,
  options: Waiting,
): Promise<SeenInCluster & { readonly id: string }> {
  const { kubeconfig, send, timeout } = options;
  return withLook(resolve(kubeconfig), (look) =>
    withReportingLog(options, async (log) => {
      const { id } = await send();
      const deadline = performance.now() + timeout * 1000;
      const lookOnce = () => (log === undefined ? seenIn(look, object) : deliveredIn(log, id));
      let seen = await lookOnce();
      while (seen === undefined) {
        if (performance.now() > deadline) throw new KnudgeError('internal', notYet(object, { timeout, log }));
        await sleep(pauseMs);
        seen = await lookOnce();
      }
      return { id, ...seen };
    }),
  );
}

function notYet(
  object: ObjectRef,
  { timeout, log }: { readonly timeout: number; readonly log: Log | undefined },
): string {
  const what = log === undefined ? 'status does not speak of its generation' : 'event has no outcome in the event log';
  return `${describe(object)}: its ${what} within ${timeout} s: --timeout gives it longer, and npx knudge doctor looks for the reason`;
}

/** With the log of the cluster, if it can be read and functions report to it. */
async function withReportingLog<Result>(
  { kubeconfig, namespace, dir }: Pick<Waiting, 'kubeconfig' | 'namespace' | 'dir'>,
  use: (log: Log | undefined) => Promise<Result>,
): Promise<Result> {
  const opened = await openLog({ kubeconfig, namespace, dir }).catch(unlessFault);
  try {
    const any = await opened?.log.deliveries({}, { order: 'newest-first', limit: 1 }).catch(unlessFault);
    return await use(any === undefined || any.length === 0 ? undefined : opened?.log);
  } finally {
    await opened?.close();
  }
}

/** A log that is away or may not be read is done without. */
function unlessFault(error: unknown): undefined {
  if (asKnudgeError(error).code === 'internal') throw error;
}

/** The last try of an event; undefined until one ends it. */
export async function deliveredIn(log: Log, id: string): Promise<SeenInCluster | undefined> {
  const [event] = (await log.events({ id }, { order: 'newest-first', limit: 5 })).filter(
    (one) => one.source === source,
  );
  if (event === undefined) return undefined;
  const deliveries = await log.deliveries({ event: event.seq }, { order: 'newest-first', limit: 20 });
  const last = deliveries.find(({ status }) => !isTriedAgain(status));
  return last && { outcome: outcomeOf(last), by: 'delivery', failed: last.status > 299 };
}

/** The Broker tries such an answer again. */
function isTriedAgain(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

function outcomeOf({ outcome, reads, writes }: Delivery): string {
  return `${outcome}; reads=${reads}; writes=${writes}`;
}

/** What the object shows; undefined while its status speaks of an older generation. */
export async function seenIn(
  look: Pick<Look, 'get'>,
  { apiVersion, kind, namespace, name }: ObjectRef,
): Promise<SeenInCluster | undefined> {
  const found = await look.get({ apiVersion, kind, plural: guessedPlural(kind) }, { namespace, name });
  if (found === undefined) return { outcome: 'gone', by: 'status', failed: false };
  const { generation } = found.metadata;
  if (generation === undefined || at(found, 'status', 'observedGeneration') !== generation) return undefined;
  return { outcome: `its status is of its generation ${generation}${readiness(found)}`, by: 'status', failed: false };
}

function readiness(object: KubeObject): string {
  const ready = conditionOf(object, 'Ready') as Partial<Condition> | undefined;
  return ready === undefined ? '' : `, Ready is ${ready.status ?? 'Unknown'}: ${ready.message ?? ready.reason ?? ''}`;
}
