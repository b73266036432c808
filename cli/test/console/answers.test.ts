import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import type { Finding } from '../../../packages/controller/doctor/finding.ts';
import { serve } from '../../../packages/controller/test/cluster/loopback.ts';
import { received } from '../../../packages/event-log/test/store/event.ts';
import type { MeshState } from '../../../packages/mesh/state.ts';
import type { MeshStatus } from '../../../packages/mesh/status-file.ts';
import { consoleAnswers } from '../../console/answers.ts';
import { groupByCause } from '../../doctor/group.ts';
import { doctorCommand } from '../../doctor.ts';
import { mapCommand } from '../../map.ts';
import { statusCommand } from '../../status.ts';
import { writeKubeconfig } from '../kubeconfig.ts';
import { folderWith } from '../log-folder.ts';
import { runCommand } from '../run-command.ts';

const happened = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'x', namespace: 'shop' },
  involvedObject: { kind: 'Message', name: 'hello' },
  type: 'Normal',
  reason: 'Ready',
  message: 'ok',
  lastTimestamp: '2026-03-01T12:00:19Z',
};
const status: MeshStatus = {
  processes: {
    'message-changed': { awake: 2, coldMs: 214 },
    'resync-due': { awake: 0, crashing: 'ended with exit code 1' },
  },
  functions: {},
};
const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };
const plan = { writes: [{ do: 'status', status: { conditions: [] } }], notices: [], again: false };
const changes = [{ before: { status: { phase: 'Pending' } }, after: { status: { phase: 'Processed' } } }];

/** The folder of a mesh with three events, whose cluster has one Kubernetes Event, and whose functions plan one write. */
async function mesh(context: TestContext, answer: object = { plans: [{ ref, plan, changes }] }) {
  const about = { kind: 'Message', namespace: 'shop', name: 'hello', apiversion: ref.apiVersion };
  const type = 'dev.knudge.resync.requested';
  const dir = await folderWith(context, async (log) => {
    for (const id of ['e-1', 'e-2']) await log.append(received({ id, type, extensions: about, data: undefined }));
    await log.append(received({ id: 'e-3', type: 'shop.sold', extensions: { kind: 'Order', name: 'o' } }));
  });
  const functions = await serve(context, () => ({ body: answer }));
  const api = await serve(context, ({ url }) =>
    url?.startsWith('/api/v1/namespaces/shop/events')
      ? { body: { kind: 'EventList', apiVersion: 'v1', metadata: {}, items: [happened] } }
      : url === '/version'
        ? { body: { major: '1' } }
        : { status: 404, body: {} },
  );
  const kubeconfig = join(dir, 'kubeconfig');
  writeKubeconfig(kubeconfig, api.url);
  const state: Partial<MeshState> = { kubeconfig, functions: { 'message-changed': functions.url } };
  writeFileSync(join(dir, 'state.json'), JSON.stringify(state));
  writeFileSync(join(dir, 'status.json'), JSON.stringify(status));
  const { answers, close } = consoleAnswers({ dir, namespace: 'knudge' });
  context.after(close);
  const ask = (asked: string, body?: unknown, params = {}): Promise<unknown> => {
    const found = answers.find(({ method, path }) => `${method} ${path}` === asked);
    assert.ok(found, asked);
    return found.answer({ params, body });
  };
  return { dir, ask, functions, api };
}

suite('what the console answers beside the event log', () => {
  test('the map, the functions and the findings are those of the commands, and wake no function', async (context) => {
    const { dir, ask, functions } = await mesh(context);
    const printed = async (command: Parameters<typeof runCommand>[1], ...args: readonly string[]) =>
      JSON.parse((await runCommand(context, command, [...args, '--json'])).out) as Record<string, unknown>;
    assert.deepEqual(await ask('GET /map'), await printed(mapCommand()));
    const seen = (await ask('GET /functions')) as { readonly functions: readonly { readonly name: string }[] };
    assert.deepEqual(seen.functions, (await printed(statusCommand(), '--dir', dir))['functions']);
    const named = Object.fromEntries(seen.functions.map((one) => [one.name, one]));
    assert.partialDeepStrictEqual(named['message-changed'], { awake: 2, coldMs: 214 });
    assert.partialDeepStrictEqual(named['resync-due'], { awake: 0, crashing: 'ended with exit code 1' });
    assert.partialDeepStrictEqual(named['pod-changed'], { process: 'distributed-service', awake: 0 });
    const [one, other] = await Promise.all([ask('GET /doctor'), ask('GET /doctor')]);
    assert.equal(one, other);
    const { counts, findings } = await printed(doctorCommand(), '--dir', dir);
    const found = one as { readonly counts: unknown; readonly findings: readonly Finding[] };
    assert.deepEqual(found.counts, counts);
    // What the command prints for people: ten Triggers that are away are one cause.
    const all = findings as readonly Finding[];
    assert.deepEqual(found.findings, groupByCause(all));
    assert.ok(found.findings.length < all.length, `${found.findings.length} of ${all.length}`);
    assert.equal(functions.seen.length, 0);
  });

  test('the Kubernetes Events of an object are those of history', async (context) => {
    const { ask, api } = await mesh(context);
    const object = { kind: 'Message', namespace: 'shop', name: 'hello' };
    const path = 'GET /objects/:kind{/:namespace}/:name/events';
    const note = { time: happened.lastTimestamp, type: 'Normal', reason: 'Ready', note: 'ok' };
    assert.deepEqual(await ask(path, undefined, object), { events: [note] });
    assert.deepEqual(await ask(path, undefined, { ...object, name: 'other' }), { events: [] });
    assert.deepEqual(await ask(path, undefined, { kind: 'Node', name: 'n' }), { events: [] });
    assert.match(api.seen.at(-1)?.url ?? '', /^\/api\/v1\/namespaces\/default\/events/);
  });

  test('a plan of an object asks what would be done now, and writes nothing', async (context) => {
    const { ask, functions } = await mesh(context);
    const about = { kind: 'Message', namespace: 'shop', name: 'hello' };
    const change = { field: '/status/phase', before: 'Pending', after: 'Processed' };
    const planned = {
      ...about,
      events: 1,
      last: 0,
      functions: ['message-changed'],
      writes: [{ do: 'status', changes: [change] }],
    };
    const answer = { objects: [planned], failed: [], answers: 1, events: 1 };
    assert.deepEqual(await ask('POST /plan', about), answer);
    const [asked] = functions.seen;
    assert.equal(asked?.url, '/?dryRun=All');
    assert.equal(asked?.headers['ce-type'], 'dev.knudge.resync.requested');
    assert.deepEqual(await ask('POST /plan', { kind: 'Order', name: 'o' }), {
      objects: [],
      failed: [],
      answers: 0,
      events: 1,
    });
    const nothing = ask('POST /plan', { kind: 'Pod', namespace: 'shop', name: 'p' });
    await assert.rejects(nothing, { code: 'invalid-request', message: /no event about Pod shop\/p/ });
  });

  test('a plan is no larger than a page can show, and says how much is left out', async (context) => {
    const data = { key: 'x'.repeat(600) };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } };
    const writes = Array.from({ length: 1500 }, () => ({ do: 'apply', object, live: object }));
    const large = { ref, plan: { ...plan, writes }, changes: writes.map(() => ({ after: { ...object, data } })) };
    const { ask } = await mesh(context, { plans: [large] });
    const answer = (await ask('POST /plan', { kind: 'Message' })) as {
      readonly leftOut?: number;
      readonly objects: readonly { readonly writes: readonly { readonly leftOut?: number }[] }[];
    };
    const [planned] = answer.objects;
    // Two events plan the same: it counts once.
    assert.deepEqual([planned?.writes.length, answer.leftOut], [1000, 500]);
    assert.equal(planned?.writes.at(-1)?.leftOut, 1);
    assert.ok(JSON.stringify(answer).length < 800_000, String(JSON.stringify(answer).length));
  });

  test('a plan of recorded events takes what a replay takes, and says whether there are more', async (context) => {
    const { ask, functions } = await mesh(context);
    const all = (await ask('POST /plan', { kind: 'Message', limit: 100 })) as { readonly objects: unknown };
    assert.deepEqual(Object.keys(all), ['objects', 'failed', 'answers', 'events']);
    assert.partialDeepStrictEqual(all.objects, [{ name: 'hello', events: 2, last: 2 }]);
    assert.partialDeepStrictEqual(await ask('POST /plan', { limit: 1 }), { events: 1, cut: true });
    await assert.rejects(ask('POST /plan', { colour: 'red' }), { code: 'invalid-request' });
    await assert.rejects(ask('POST /plan', 'all'), { code: 'invalid-json' });
    assert.ok(functions.seen.every(({ url }) => url === '/?dryRun=All'));
  });

  test('another version is asked about one event as by the command shadow, and what differs is shown', async (context) => {
    const { ask, functions } = await mesh(context);
    const other = { ...plan, writes: [{ do: 'status', status: { phase: 'Failed', conditions: [] } }] };
    const there = await serve(context, () => ({ body: { plans: [{ ref, plan: other }] } }));
    const wish = { event: 1, function: 'message-changed', url: functions.url };
    assert.deepEqual(await ask('POST /shadow', wish), { kind: 'equal' });
    const differences = [{ of: 'status Message shop/hello', field: '/phase', there: 'Failed' }];
    assert.deepEqual(await ask('POST /shadow', { ...wish, url: there.url }), { kind: 'different', differences });
    assert.ok([...functions.seen, ...there.seen].every(({ url }) => url === '/?dryRun=All'));
    const refused: readonly [unknown, RegExp][] = [
      [{ ...wish, event: 9 }, /the log has no event 9/],
      [{ ...wish, event: 3 }, /no Trigger brings event 3 to message-changed, but to no function that makes plans/],
      [{ ...wish, function: 'pod-changed' }, /to pod-changed, but to message-changed/],
      [{ ...wish, event: 'one' }, /event must be/],
      [{ ...wish, function: 7 }, /function must be/],
      [{ ...wish, url: 'file:///etc/passwd' }, /url must be an address/],
      [undefined, /event must be/],
    ];
    for (const [body, message] of refused)
      await assert.rejects(ask('POST /shadow', body), { code: 'invalid-request', message });
  });
});
