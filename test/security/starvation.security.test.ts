import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Neighbours, openNeighbours } from './neighbours.ts';

/** Calm and flood take turns in one run, so that what else the machine does meets both. */
const rounds = Number(process.env['FLOOD_ROUNDS'] || 4);
const messages = Number(process.env['FLOOD_MESSAGES'] || 50);
const attempts = 3;
/**
 * What processors that a flood keeps busy cost by themselves: each of the dozen hops of a Message waits for its turn. On two of them the
 * p99 was 25 to 54 ms beside a flood and 10 to 28 ms alone, and no less where one event of the flood was under way at a time. A backlog
 * of the flood, of some thousand events, would be seconds.
 */
const busyMs = 100;

const at = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? 0;

/** p99 from a Message to its Pod, without and with a flood in another namespace. */
async function measure(context: TestContext, neighbours: Neighbours) {
  await neighbours.timesOf('warm', 10);
  const [calm, beside]: [number[], number[]] = [[], []];
  let writes = 0;
  for (let round = 0; round < rounds; round += 1) {
    await neighbours.quiet();
    calm.push(...(await neighbours.timesOf(`calm-${round}`, messages)));
    const flood = neighbours.flood();
    const began = performance.now();
    beside.push(...(await neighbours.timesOf(`beside-${round}`, messages)));
    const count = await flood.stop();
    writes += count;
    context.diagnostic(
      `round ${round}: ${count} writes, ${((count / (performance.now() - began)) * 1000).toFixed(0)} a second`,
    );
  }
  const [alone, flooded] = [at(calm, 0.99), at(beside, 0.99)];
  context.diagnostic(
    `measured: Message to Pod of a neighbour, p50 ${at(calm, 0.5).toFixed(0)} ms and p99 ${alone.toFixed(0)} ms alone, ` +
      `p50 ${at(beside, 0.5).toFixed(0)} ms and p99 ${flooded.toFixed(0)} ms beside ${writes} writes: ${(flooded / alone).toFixed(1)} times`,
  );
  return { alone, flooded };
}

/** A p99 is two of this many Messages, and what else the machine does may meet just these: one of some measurements has to hold. */
async function within(limit: (alone: number) => number, context: TestContext, args: readonly string[]): Promise<void> {
  const told: string[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const neighbours = await openNeighbours(...args);
    const { alone, flooded } = await measure(context, neighbours).finally(neighbours.close);
    if (flooded < limit(alone)) return;
    told.push(`${flooded.toFixed(0)} ms beside the flood, ${alone.toFixed(0)} ms alone`);
  }
  assert.fail(told.join('; '));
}

test('8, S18: on the Kafka class a flood in one namespace leaves the p99 of another below twice its calm value, and 100 ms for the processors that it fills', (context) =>
  within((alone) => 2 * alone + busyMs, context, ['--overlay', 'kafka']));

test('8, S18: on the synchronous class it leaves it below two seconds', (context) => within(() => 2000, context, []));
