import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { resyncLease } from '../../packages/controller/domain/names.ts';
import { readState } from '../../packages/mesh/state.ts';
import type { BrokerOptions } from '../broker.ts';
import { at } from '../doctor/seen.ts';
import { usageError } from '../leaf.ts';
import { withLook } from './with-look.ts';

/** Milliseconds between two looks at the Lease. */
const pauseMs = 250;

/** Sends the event of a resync and waits until a round is over that asked after every parent. Fails if that takes longer than the time-out. */
export async function resyncAndWait<Sent>(
  options: BrokerOptions,
  send: () => Promise<Sent>,
): Promise<{ readonly sent: Sent; readonly seconds: number }> {
  const { kubeconfig, broker, dir, namespace, timeout } = options;
  if (broker !== undefined)
    throw usageError('--wait looks into the cluster of the Broker: name its --kubeconfig instead of --broker');
  const file = kubeconfig === undefined ? readState(resolve(dir)).kubeconfig : resolve(kubeconfig);
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases' };
  return withLook(file, async (look) => {
    const renewed = async (): Promise<unknown> =>
      at(await look.get(lease, { namespace, name: resyncLease }), 'spec', 'renewTime');
    const before = await renewed();
    const began = performance.now();
    const sent = await send();
    for (let now = await renewed(); now === before; now = await renewed()) {
      if (performance.now() - began > timeout * 1000) throw new KnudgeError('internal', notYet(timeout));
      await sleep(pauseMs);
    }
    return { sent, seconds: (performance.now() - began) / 1000 };
  });
}

function notYet(timeout: number): string {
  return `the resync was not over within ${timeout} s, and may still go on: npx knudge doctor says when the last one began`;
}
