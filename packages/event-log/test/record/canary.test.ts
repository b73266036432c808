import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../../../controller/test/cluster/loopback.ts';
import { assertClean, canary, places, telling } from '../store/canary.ts';
import { startLog } from './log-process.ts';

/** Every event and dead letter with the canary in it; gives how many of each. */
async function plant(keep: Awaited<ReturnType<typeof startLog>>['keep']): Promise<number> {
  const about = { apiversion: 'v1', namespace: 'shop', name: 'key' };
  const events = [
    ...places.map(([, data, kind]) => ({ extensions: { ...about, ...(kind && { kind }) }, data })),
    ...telling.map(([name, value]) => ({ extensions: { ...about, [name]: value }, data: null })),
  ];
  for (const [at, { extensions, data }] of events.entries()) {
    const event = { id: `c-${at}`, type: 'a.b.update', source: '/s', time: '2026-01-02T03:04:05Z', extensions, data };
    for (const path of ['event-recorded', 'dead-lettered'] as const) await keep(path, event);
  }
  return events.length;
}

test('a canary in each place of a Secret comes out nowhere: file, answers, log, metrics, what is sent again', async (context) => {
  const broker = await serve(context, () => ({ status: 202, body: '' }));
  const { url, keep, lines, log, files: filesOf, stop } = await startLog(context, { K_SINK: broker.url });
  const count = await plant(keep);
  const texts: string[] = [];
  for (const list of ['events', 'dead-letters'] as const) {
    const found = await lines(list);
    assert.equal(found.length, count, list);
    texts.push(...found, await (await fetch(`${url}/${list}?limit=1000`)).text());
  }
  const headers = { 'content-type': 'application/json' };
  for (const line of await lines('dead-letters')) {
    const { seq } = JSON.parse(line) as { seq: number };
    const answer = await fetch(`${url}/dead-letters/${seq}/retry`, { method: 'POST', headers });
    assert.equal(answer.status, 200);
    texts.push(await answer.text());
  }
  for (let seq = 1; seq <= count; seq += 1) texts.push(await (await fetch(`${url}/events/${seq}`)).text());
  assert.equal(broker.seen.length, count);
  texts.push(...broker.seen.map((one) => JSON.stringify(one)));
  texts.push(await (await fetch(`${url}/metrics`)).text(), await (await fetch(`${url}/gaps`)).text());
  await stop();
  const files = filesOf();
  assert.ok(
    files.some((text) => text.includes('c-1')),
    'the file holds the events',
  );
  assert.ok(log().length > count * 100, 'it says something of each');
  for (const text of [...texts, ...files, log()]) assertClean(text);
  assert.throws(() => assertClean(`x${canary}`));
  context.diagnostic(
    `counted: ${count} places, each as an event and as a dead letter: ${texts.length} answers and ${files.length} files without a trace`,
  );
});
