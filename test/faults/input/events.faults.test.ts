import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultOfBody, fuzz, type Late, lateAlone, longestMs } from './fuzz.ts';
import { openLine } from './line.ts';
import { malformedEvents, sound } from './malformed.ts';
import { mutator } from './mutate.ts';
import { seeded } from './random.ts';
import { readRecordings, requestOf } from './recordings.ts';
import { present, startTarget, type Target } from './start-target.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? 20261121);
/** FUZZ_EVENTS=1000000 takes some four minutes: a function answers about 4,300 a second on one core. */
const total = Number(process.env['FUZZ_EVENTS'] ?? 200_000);
/** Bytes that a function may grow by, once it has met some of everything. */
const mostGrowth = 16 * 1024 * 1024;
const warmUp = 20_000;

const bad = malformedEvents();
let target: Target;

before(async () => {
  target = await startTarget('message-changed');
});
after(() => target.stop());

const say = (line: string): void => console.log(`# ${line}`);
const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

async function ask(bytes: Buffer, ends?: true) {
  const line = openLine(target.port);
  try {
    return await line.ask(bytes, ends);
  } finally {
    line.close();
  }
}

test('sound events are done, so what follows is refused for its faults', async () => {
  for (const bytes of sound) assert.equal((await ask(bytes)).status, 204);
  for (const { headers, body } of readRecordings()) assert.equal((await ask(requestOf(headers, body))).status, 204);
});

test(`each of ${bad.length} malformed events has its status, a short body, and takes less than ${longestMs} ms`, async (t) => {
  assert.ok(bad.length >= 500);
  const faults: string[] = [];
  const late: Late[] = [];
  for (const { name, bytes, status, ends } of bad) {
    const heard = await ask(bytes, ends);
    if (heard.status !== status) faults.push(`${name}: ${heard.status} and not ${status}: ${heard.body}`);
    const fault = faultOfBody(heard.body);
    if (fault !== undefined) faults.push(`${name}: ${fault}`);
    if (heard.ms > longestMs) late.push({ bytes, ends, ms: heard.ms });
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(await lateAlone(target, late), []);
  assert.ok(target.isAlive(), target.errors());
  const counts = Object.groupBy(bad, ({ status }) => String(status));
  t.diagnostic(
    `counted: malformed events: ${Object.entries(counts)
      .map(([status, rows]) => `${rows?.length} x ${status}`)
      .join(', ')}`,
  );
});

test(`${total} fuzzed events leave the function as it was`, { timeout: 1_800_000 }, async (t) => {
  const recordings = readRecordings();
  const warm = await fuzz(target, { next: mutator(seeded(seed ^ 1), recordings), total: warmUp });
  assert.deepEqual(warm.failures, []);
  const first = await target.report();
  say(`FUZZ_SEED=${seed} FUZZ_EVENTS=${total}; after ${warmUp} to warm up: ${megabytes(first.rss)}`);
  const began = performance.now();
  const rate = (answered: number): string => ((answered / (performance.now() - began)) * 1000).toFixed(0);
  const { answers, failures, late, latest } = await fuzz(target, {
    next: mutator(seeded(seed), recordings),
    total,
    onProgress: (answered) => say(`${answered} answered, ${rate(answered)} a second`),
  });
  const whole = `${total} in ${((performance.now() - began) / 1000).toFixed(0)} s, ${rate(total)} a second`;
  assert.deepEqual(failures, []);
  assert.ok(target.isAlive(), target.errors());
  const last = await target.report();
  assert.deepEqual(await lateAlone(target, late), [], 'late three times, alone');
  const kinds = [...answers].map(([status, count]) => `${count} x ${status}`).join(', ');
  t.diagnostic(
    `counted: fuzzed events: ${whole}: ${kinds}; latest ${latest.toFixed(0)} ms, ${late.length} over ${longestMs} ms and none again`,
  );
  t.diagnostic(
    `counted: memory under them: ${megabytes(first.rss)} to ${megabytes(last.rss)}, heap ${megabytes(first.heapUsed)} to ${megabytes(last.heapUsed)}, peak ${megabytes(target.peak())}`,
  );
  assert.equal(
    [...answers.values()].reduce((sum, count) => sum + count, 0),
    total,
  );
  for (const status of [204, 400, 413, 415]) assert.ok(answers.has(status), `no answer was ${status}`);
  assert.ok(last.rss - first.rss <= mostGrowth, `it grew by ${megabytes(last.rss - first.rss)}`);
  assert.deepEqual(last.polluted, []);
});

test('the same process still plans as ever', async () => {
  assert.ok(target.isAlive(), target.errors());
  const { apiVersion, kind, metadata } = present;
  const headers = [
    ['content-type', 'application/json'],
    ...Object.entries({ specversion: '1.0', id: '1', source: '/x', type: 'dev.knative.apiserver.resource.add' }).map(
      ([name, value]) => [`ce-${name}`, value] as const,
    ),
    ...Object.entries({ apiversion: apiVersion, kind, ...metadata }).map(
      ([name, value]) => [`ce-${name}`, value] as const,
    ),
  ] as const;
  const { status, body } = await ask(requestOf(headers, Buffer.from(JSON.stringify(present)), '/?dryRun=All'));
  assert.equal(status, 200, body);
  assert.match(body, /"do":"create"/);
  assert.match(body, /msg-present/);
});
