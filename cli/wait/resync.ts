import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Look } from '../../packages/controller/cluster/look.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { annotations, resyncLease } from '../../packages/controller/domain/names.ts';
import { readState } from '../../packages/mesh/state.ts';
import type { BrokerOptions } from '../broker.ts';
import { at } from '../doctor/seen.ts';
import { usageError } from '../leaf.ts';
import { cameOf, placesNow, type RoundOutcome } from './came-of-round.ts';
import { withReportingLog } from './reporting-log.ts';
import { withLook } from './with-look.ts';

/** Milliseconds between two looks at the Lease. */
const pauseMs = 250;

/** The event that began the round, its seconds, and what came of it; without an outcome where functions report to no log. */
export interface Resynced<Sent> {
  readonly sent: Sent;
  readonly seconds: number;
  readonly outcome?: RoundOutcome;
}

/**
 * Sends the event of a resync and waits until the round that it began has asked after every parent. A Knudge that is at another round
 * refuses the event: then it is sent once more when that round is over. Fails if all that takes longer than the time-out.
 */
export async function resyncAndWait<Sent extends { readonly id: string }>(
  options: BrokerOptions,
  send: () => Promise<Sent>,
): Promise<Resynced<Sent>> {
  const { kubeconfig, broker, dir, namespace, timeout } = options;
  if (broker !== undefined)
    throw usageError('--wait looks into the cluster of the Broker: name its --kubeconfig instead of --broker');
  const file = kubeconfig === undefined ? readState(resolve(dir)).kubeconfig : resolve(kubeconfig);
  return withLook(file, (look) =>
    withReportingLog(options, async (log) => {
      const after = log && (await placesNow(log));
      const began = performance.now();
      const until = began + timeout * 1000;
      const sent = await throughRound(() => leaseNow(look, namespace), send, { until, timeout });
      const seconds = (performance.now() - began) / 1000;
      const outcome = log && after && (await cameOf(sent.id, { log, after, until }));
      return { sent, seconds, ...(outcome && { outcome }) };
    }),
  );
}

/** The rounds that the Lease names, by the events that began them. */
interface Rounds {
  /** The last that is through. */
  readonly through: string | undefined;
  readonly underWay: string | undefined;
}

async function leaseNow(look: Pick<Look, 'get'>, namespace: string): Promise<Rounds> {
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases' };
  const found = await look.get(lease, { namespace, name: resyncLease });
  const { [annotations.round]: through, [annotations.underWay]: round } = (at(found, 'metadata', 'annotations') ??
    {}) as Readonly<Record<string, string | undefined>>;
  return { through, underWay: round === undefined ? undefined : idIn(round) };
}

function idIn(round: string): string | undefined {
  try {
    return (JSON.parse(round) as { readonly id?: string }).id;
  } catch {
    return undefined;
  }
}

async function throughRound<Sent extends { readonly id: string }>(
  now: () => Promise<Rounds>,
  send: () => Promise<Sent>,
  { until, timeout }: { readonly until: number; readonly timeout: number },
): Promise<Sent> {
  let before = await now();
  const all = [await send()];
  const isOwn = (id: string | undefined): boolean => all.some((one) => one.id === id);
  for (;;) {
    const seen = await now();
    const own = all.find(({ id }) => id === seen.through);
    if (own !== undefined) return own;
    const hasEnded = before.underWay !== undefined && before.underWay !== seen.underWay;
    if (hasEnded && isOwn(before.underWay)) throw new KnudgeError('internal', notWhole);
    if (performance.now() > until) throw new KnudgeError('internal', notYet(timeout));
    const isOtherOver = hasEnded || seen.through !== before.through;
    if (isOtherOver && !isOwn(seen.underWay)) all.push(await send());
    before = seen;
    await sleep(pauseMs);
  }
}

const notWhole =
  'the resync is over, but has not asked after every object: the log of the function resync-due says why';

function notYet(timeout: number): string {
  return `the resync was not over within ${timeout} s, and may still go on: npx knudge doctor says when the last one began`;
}
