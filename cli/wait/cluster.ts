import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Look } from '../../packages/controller/cluster/look.ts';
import type { Condition } from '../../packages/controller/domain/conditions.ts';
import type { Delivery } from '../../packages/controller/domain/delivery.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { describe, type KubeObject, type ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { guessedPlural } from '../../packages/controller/domain/plural.ts';
import { type BrokerOptions, source } from '../broker.ts';
import { at, conditionOf } from '../doctor/seen.ts';
import { isTriedAgain, type ReportingLog, withReportingLog } from './reporting-log.ts';
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

export interface Waiting extends Pick<BrokerOptions, 'namespace' | 'dir' | 'timeout'> {
  readonly kubeconfig: string;
  /** Sends the event; gives its id. */
  readonly send: () => Promise<{ readonly id: string }>;
}

/**
 * Sends an event for one object and waits for its outcome: as a function reports it to the event log, else as the object shows it. An
 * object that is up to date before the event must change, for else it shows nothing. Fails if none of these comes within the time-out.
 */
export async function waitInCluster(
  object: ObjectRef,
  options: Waiting,
): Promise<SeenInCluster & { readonly id: string }> {
  const { kubeconfig, send, timeout } = options;
  return withLook(resolve(kubeconfig), (look) =>
    withReportingLog(options, async (log) => {
      const before = log === undefined ? await upToDate(look, object) : undefined;
      const { id } = await send();
      const deadline = performance.now() + timeout * 1000;
      const lookOnce = () => (log === undefined ? seenIn(look, object, before) : deliveredIn(log, id));
      let seen = await lookOnce();
      while (seen === undefined) {
        if (performance.now() > deadline) throw new KnudgeError('internal', notYet(object, { timeout, log, before }));
        await sleep(pauseMs);
        seen = await lookOnce();
      }
      return { id, ...seen };
    }),
  );
}

interface Awaited {
  readonly timeout: number;
  readonly log: ReportingLog | undefined;
  readonly before: string | undefined;
}

function notYet(object: ObjectRef, { timeout, log, before }: Awaited): string {
  if (before !== undefined)
    return `${describe(object)}: it was up to date before, and has not changed within ${timeout} s: functions report to no event log here, so nothing shows whether one has looked at it`;
  const what = log === undefined ? 'status does not speak of its generation' : 'event has no outcome in the event log';
  return `${describe(object)}: its ${what} within ${timeout} s: --timeout gives it longer, and npx knudge doctor looks for the reason`;
}

/** The last try of an event; undefined until one ends it. */
export async function deliveredIn(log: ReportingLog, id: string): Promise<SeenInCluster | undefined> {
  const [event] = (await log.events({ id }, { order: 'newest-first', limit: 5 })).filter(
    (one) => one.source === source,
  );
  if (event === undefined) return undefined;
  const deliveries = await log.deliveries({ event: event.seq }, { order: 'newest-first', limit: 20 });
  const last = deliveries.find(({ status }) => !isTriedAgain(status));
  return last && { outcome: outcomeOf(last), by: 'delivery', failed: last.status > 299 };
}

function outcomeOf({ outcome, reads, writes }: Delivery): string {
  return `${outcome}; reads=${reads}; writes=${writes}`;
}

/** What the object shows; undefined while its status speaks of an older generation, and while its version is still the one before the event. */
export async function seenIn(
  look: Pick<Look, 'get'>,
  object: ObjectRef,
  before?: string,
): Promise<SeenInCluster | undefined> {
  const found = await read(look, object);
  if (found === undefined) return { outcome: 'gone', by: 'status', failed: false };
  const { generation, resourceVersion } = found.metadata;
  if (!isOfNow(found) || (before !== undefined && resourceVersion === before)) return undefined;
  return { outcome: `its status is of its generation ${generation}${readiness(found)}`, by: 'status', failed: false };
}

/** The version of an object whose status speaks of its generation; undefined of any other. */
async function upToDate(look: Pick<Look, 'get'>, object: ObjectRef): Promise<string | undefined> {
  const found = await read(look, object);
  return found !== undefined && isOfNow(found) ? found.metadata.resourceVersion : undefined;
}

function read(look: Pick<Look, 'get'>, { apiVersion, kind, namespace, name }: ObjectRef) {
  return look.get({ apiVersion, kind, plural: guessedPlural(kind) }, { namespace, name });
}

function isOfNow(object: KubeObject): boolean {
  const { generation } = object.metadata;
  return generation !== undefined && at(object, 'status', 'observedGeneration') === generation;
}

function readiness(object: KubeObject): string {
  const ready = conditionOf(object, 'Ready') as Partial<Condition> | undefined;
  return ready === undefined ? '' : `, Ready is ${ready.status ?? 'Unknown'}: ${ready.message ?? ready.reason ?? ''}`;
}
