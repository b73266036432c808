import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import type { Outgoing } from '../../packages/controller/domain/change.ts';
import type { DeadLetter, RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { startLog } from '../../packages/event-log/test/record/log-process.ts';
import { assertClean, canary } from '../../packages/event-log/test/store/canary.ts';
import { object } from '../build/objects.ts';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { put } from '../kube/install.ts';

/** As in finding 9. */
const room = 20 * 1024 ** 2;
const [incidents, atOnce] = [20, 4];

const namespace = 'recorded';
const api = apiFrom(testKubeconfig());
before(() => put(api, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));

/** Each kind has a sender of its own. */
function eventOf(id: string, kind: 'Incident' | 'Flood', data: unknown): Outgoing {
  const extensions = { apiversion: 'v1', kind, namespace: 'shop', name: id };
  return { id, type: 'dev.example.seen', source: `/${kind}`, time: '2026-01-02T03:04:05Z', extensions, data };
}

const large = 'x'.repeat(1_900 * 1024);

test('9: a flood pushes out no dead letter, nothing of another sender, and of no event more than 64 KiB are kept', async (context) => {
  const { post, keep, lines, file } = await startLog(context, { EVENT_LOG_BYTES: String(room), LOG_LEVEL: 'silent' });
  for (let at = 0; at < incidents; at += 1) {
    await keep('event-recorded', eventOf(`incident-${String(at)}`, 'Incident', { at }));
    await keep('dead-lettered', eventOf(`letter-${String(at)}`, 'Incident', { at }));
  }
  const answers: number[] = [];
  let sent = 0;
  const flood = async (count: number, data: string): Promise<readonly RecordedEvent[]> => {
    const most = sent + count;
    const work = async (): Promise<void> => {
      while (sent < most) {
        sent += 1;
        answers.push((await post('event-recorded', eventOf(`flood-${String(sent)}`, 'Flood', data))).status);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const found = (await lines('events', '&kind=Flood')).map((line) => JSON.parse(line) as RecordedEvent);
    for (const one of found) assert.ok(JSON.stringify(one).length <= 66 * 1024, `${one.id} is larger`);
    return found;
  };
  // Twelve times the room, and then more than the room in events that are kept whole.
  const shortened = await flood(120, large);
  assert.ok(shortened.length > 0);
  for (const { shortened: bytes = 0 } of shortened) assert.ok(bytes > large.length, 'it says how long it was');
  const flooded = await flood(400, large.slice(0, 60 * 1024));
  const whole = flooded.filter((one) => one.shortened === undefined);
  assert.ok(whole.length > 0);
  for (const { data } of whole) assert.equal(String(data).length, 60 * 1024);
  const letters = (await lines('dead-letters')).map((line) => JSON.parse(line) as DeadLetter);
  assert.equal((await lines('events', '&kind=Incident')).length, incidents);
  assert.equal(letters.filter(({ state }) => state === 'open').length, incidents);
  const refused = answers.filter((status) => status === 503).length;
  context.diagnostic(
    `counted: of ${String(sent)} events the newest page has ${String(flooded.length)}, and ${String(refused)} were answered 503; ` +
      `the file has ${(statSync(file).size / 1024 ** 2).toFixed(0)} MiB`,
  );
  assert.ok(statSync(file).size <= 2 * room, 'the volume that the manual asks for is not full');
});

test('9: what is answered 503 is not kept', async (context) => {
  const { post, keep, lines, file } = await startLog(context, { EVENT_LOG_BYTES: String(room), LOG_LEVEL: 'silent' });
  const holding = new DatabaseSync(file, { timeout: 5000 });
  holding.exec('BEGIN IMMEDIATE');
  const ids = Array.from({ length: 40 }, (_, at) => `refused-${String(at)}`);
  const answers = await Promise.all(ids.map((id) => post('event-recorded', eventOf(id, 'Flood', large))));
  holding.exec('ROLLBACK');
  holding.close();
  const refused = ids.filter((_, at) => answers[at]?.status === 503 && answers[at]?.code === 'unavailable');
  context.diagnostic(`counted: ${String(refused.length)} of ${String(ids.length)} were answered unavailable`);
  assert.ok(refused.length >= 30, JSON.stringify(answers));
  await keep('event-recorded', eventOf('afterwards', 'Flood', 'x'));
  const text = (await lines('events')).join('\n');
  assert.match(text, /"afterwards"/);
  for (const id of refused) assert.ok(!text.includes(`"${id}"`), id);
});

/** With what is secret in them, in each place that a Pod, what has a template of Pods and a ConfigMap have for it. */
function withCanaries(): readonly KubeObject[] {
  const containers = [
    {
      name: 'app',
      image: 'app:1',
      args: [`--token=${canary}`],
      command: ['run', canary],
      env: [{ name: 'TOKEN', value: canary }],
    },
  ];
  const annotations = { 'example.com/token': canary };
  const metadata = { namespace, annotations };
  const labels = { app: 'secret' };
  const spec = { terminationGracePeriodSeconds: 0, containers };
  return [
    object('Pod', 'secret', { metadata, spec }),
    object('apps/v1 Deployment', 'secret', {
      metadata,
      spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels, annotations }, spec } },
    }),
    object('ConfigMap', 'secret', {
      metadata: { namespace },
      data: { key: canary },
      binaryData: { other: Buffer.from(canary).toString('base64') },
    }),
  ];
}

test('11: what a Pod, a Deployment and a ConfigMap of a real API server keep secret is not in the log', async (context) => {
  const { keep, lines, url, files, log, stop } = await startLog(context);
  const objects = withCanaries();
  for (const one of objects) {
    const stored = await put(api, one);
    assert.ok(JSON.stringify(stored).includes(canary), 'the API server has it, also in managedFields');
    const { apiVersion: apiversion, kind, metadata } = stored;
    const about = { apiversion, kind, namespace, name: metadata.name };
    for (const path of ['event-recorded', 'dead-lettered'] as const) {
      const event = { id: `${kind}-1`, type: 'dev.knative.apiserver.resource.update', source: 'https://10.96.0.1:443' };
      await keep(path, { ...event, time: '2026-01-02T03:04:05Z', extensions: about, data: stored });
    }
  }
  for (const list of ['events', 'dead-letters'] as const) {
    const found = await lines(list);
    assert.equal(found.length, objects.length, list);
    for (const line of found) {
      assertClean(line);
      assert.match(line, /"uid":"/, 'what it is about is kept');
    }
  }
  assertClean(await (await fetch(`${url}/metrics`)).text());
  await stop();
  for (const text of [...files(), log()]) assertClean(text);
});
