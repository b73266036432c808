import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestsActive } from '../pod/envoy-admin.ts';
import type { BackendServer } from './backends.ts';
import type { Answered } from './clients.ts';
import type { DataPlane } from './world.ts';

/** How many clients come. */
export const singly = 200;

/**
 * How many of the clients of the tcp service `least-conn`, who come singly, wait for the first backend, which answers nobody before the
 * last client has come. Envoy counts a connection from when the backend has taken it until both ends are closed, and gives several that
 * come in between to the same backend. So each client comes when Envoy counts those that wait and no other.
 */
export async function stuckSingly(
  world: DataPlane,
  [slow, ...others]: readonly BackendServer[],
  ask: () => Promise<Answered>,
): Promise<number> {
  assert.ok(slow);
  const pod = world.tunnel('least-conn')?.pod ?? assert.fail();
  const waiting: Promise<Answered>[] = [];
  const isCalm = (): boolean => slow.open() === waiting.length && others.every((one) => one.open() === 0);
  for (let count = 0; count < singly; count += 1) {
    await world.until('the backends have those that wait, and no other', isCalm);
    const before = slow.seen();
    const asked = ask();
    const answered = asked.then(() => true);
    while (slow.seen() === before && !(await Promise.race([answered, sleep(1, false)])));
    if (slow.seen() === before) continue;
    waiting.push(asked);
    await world.until('Envoy counts those that wait', async () => (await requestsActive(pod)) === waiting.length);
  }
  slow.release();
  for (const one of await Promise.all(waiting)) assert.ok('by' in one, JSON.stringify(one));
  return waiting.length;
}
