import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { writeKubeconfig } from '../kubeconfig.ts';
import { brokerThat, folderWith } from './scene.ts';

/** A file with one event for message-changed and one for nobody, and a mesh whose only function is at this address. */
async function scene(t: TestContext, url: string) {
  const { dir, run } = await folderWith(t, 0);
  const event = (seq: number, more: object) =>
    JSON.stringify({
      seq,
      id: `e-${seq}`,
      source: '/s',
      time: '2026-03-01T12:00:00Z',
      extensions: { apiversion: 'myorg.dev/v1' },
      ...more,
    });
  const about = { kind: 'Message', namespace: 'shop', name: 'hello' };
  const file = join(dir, 'events.ndjson');
  const type = 'dev.knudge.resync.requested';
  writeFileSync(
    file,
    [event(1, { type, ...about }), event(2, { type: 'shop.sold' }), event(3, { type, ...about })].join('\n'),
  );
  writeFileSync(join(dir, 'state.json'), JSON.stringify({ functions: { 'message-changed': url } }));
  writeKubeconfig(join(dir, 'kubeconfig'), 'http://127.0.0.1:1025');
  return { dir, plan: (...args: readonly string[]) => run('replay', '--plan', '--file', file, ...args).ended };
}

suite('knudge replay --plan', () => {
  test('says what would be written', async (t) => {
    const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };
    const writes = [{ do: 'finalizers', finalizers: [] }];
    const answer = JSON.stringify({ plans: [{ ref, plan: { writes, notices: [], again: false } }] });
    const { url, ids } = await brokerThat(t, (response, _, count) =>
      response.writeHead(count === 2 ? 204 : 200).end(count === 2 ? '' : answer),
    );
    const { plan } = await scene(t, url);
    const { code, out } = await plan();
    assert.equal(code, 0);
    const [head, first, , nobody, , nothing, summary] = out.split('\n');
    assert.match(head ?? '', /^1 .* Message shop\/hello {2}e-1$/);
    assert.equal(first, '    message-changed: set the finalizers of Message shop/hello');
    assert.deepEqual([nobody, nothing], ['    no function reconciles for it', '    message-changed: nothing']);
    const counted = '3 events, 1 write, 0 functions that failed; no function reconciles for 1 of the events';
    assert.deepEqual([summary, ids], [counted, ['e-1', 'e-3']]);
    const lines = (await plan('--json', '--limit', '1')).out.trimEnd().split('\n');
    const [asked, counts] = lines.map((line) => JSON.parse(line) as unknown);
    assert.partialDeepStrictEqual(asked, {
      event: { id: 'e-1' },
      asked: [{ function: 'message-changed', plans: [{ ref }] }],
    });
    assert.deepEqual(counts, { events: 1, writes: 1, failed: 0, withoutFunction: 0 });
  });

  test('shows what each write would change, and nothing of a Secret', async (t) => {
    const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };
    const object = (kind: string, data: object) => ({ apiVersion: 'v1', kind, metadata: { name: 'a' }, data });
    const live = { ...object('ConfigMap', { a: '1', b: 'same' }), metadata: { name: 'a', resourceVersion: '7' } };
    const secret = object('Secret', { key: '[redacted]' });
    const writes = [
      { do: 'create', object: object('ConfigMap', Object.fromEntries(Array.from({ length: 200 }, (_, n) => [n, n]))) },
      { do: 'apply', object: object('ConfigMap', { a: '2' }), live },
      { do: 'apply', object: secret, live: secret },
      { do: 'delete', ref: { ...ref, kind: 'Pod' }, precondition: {}, propagation: 'Background' },
      { do: 'finalizers', finalizers: ['x'] },
    ];
    const changes = [
      {},
      { after: object('ConfigMap', { a: '2', b: 'same' }) },
      { after: secret, keys: ['key'] },
      {},
      { before: { metadata: { finalizers: ['x'] } }, after: { metadata: { finalizers: ['x'] } } },
    ];
    const answer = JSON.stringify({ plans: [{ ref, plan: { writes, notices: [], again: false }, changes }] });
    const { url } = await brokerThat(t, (response) => response.writeHead(200).end(answer));
    const { plan } = await scene(t, url);
    const [, ...lines] = (await plan('--limit', '1')).out.split('\n');
    assert.deepEqual(lines.slice(0, 4), [
      '    message-changed: create ConfigMap a',
      '      + {',
      '      +   "apiVersion": "v1",',
      '      +   "kind": "ConfigMap",',
    ]);
    const more = lines.findIndex((line) => /^ {6}… 109 lines more$/.test(line));
    assert.equal(more, 101);
    assert.deepEqual(lines.slice(more + 1, -2), [
      '    message-changed: apply ConfigMap a',
      '      - /data/a: "1"',
      '      + /data/a: "2"',
      '    message-changed: apply Secret a',
      '      - /data/key: "[redacted]"',
      '      + /data/key: "[redacted]"',
      '    message-changed: delete Pod shop/hello',
      '      it goes, and after it what it owns',
      '    message-changed: set the finalizers of Message shop/hello',
      '      nothing differs',
    ]);
  });

  test('prints the same change once, and names the event below which it stands', async (t) => {
    const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };
    const writes = [{ do: 'status', status: {} }];
    const statusAt = (phase: string, time: string) => ({ status: { phase, since: time } });
    const answers = [
      statusAt('Ready', '2026-03-01T12:00:00Z'),
      statusAt('Ready', '2026-03-01T12:00:01Z'),
      statusAt('Pending', '2026-03-01T12:00:02Z'),
      statusAt('Pending', '2026-03-01T12:00:03Z'),
    ].map((after) =>
      JSON.stringify({
        plans: [{ ref, plan: { writes, notices: [], again: false }, changes: [{ before: {}, after }] }],
      }),
    );
    const { url } = await brokerThat(t, (response, _, count) => response.writeHead(200).end(answers[count - 1]));
    const { dir, plan } = await scene(t, url);
    const text = readFileSync(join(dir, 'events.ndjson'), 'utf8');
    const [first = ''] = text.split('\n');
    const again = [4, 5].map((seq) => first.replaceAll('"seq":1', `"seq":${seq}`).replaceAll('e-1', `e-${seq}`));
    writeFileSync(join(dir, 'events.ndjson'), [text, ...again].join('\n'));
    const { out } = await plan();
    assert.deepEqual(
      out.split('\n').filter((line) => line.startsWith('    ') && !line.includes('no function')),
      [
        '    message-changed: set the status of Message shop/hello',
        '      + /status: {"phase":"Ready","since":"2026-03-01T12:00:00Z"}',
        '    message-changed: set the status of Message shop/hello, as for event 1',
        '    message-changed: set the status of Message shop/hello',
        '      + /status: {"phase":"Pending","since":"2026-03-01T12:00:02Z"}',
        '    message-changed: set the status of Message shop/hello, as for event 4',
      ],
    );
  });

  test('for programs has as many writes of an event as half a million characters hold, and says how many are left out', async (t) => {
    const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'x'.repeat(80_000) } };
    const writes = Array.from({ length: 4 }, () => ({ do: 'create', object }));
    const one = { ref, plan: { writes, notices: [], again: false }, changes: writes.map(() => ({})) };
    const answer = JSON.stringify({ plans: [one, one, one] });
    const { url } = await brokerThat(t, (response) => response.writeHead(200).end(answer));
    const { plan } = await scene(t, url);
    const [line = '', counts = ''] = (await plan('--json', '--limit', '1')).out.split('\n');
    const { asked } = JSON.parse(line) as {
      readonly asked: readonly { readonly plans: readonly (typeof one)[]; readonly leftOut?: number }[];
    };
    assert.ok(line.length > 400_000 && line.length < 510_000, `${line.length} characters`);
    assert.deepEqual(
      asked.map(({ plans, leftOut }) => [
        plans.map(({ plan: of, changes }) => [of.writes.length, changes.length]),
        leftOut,
      ]),
      [
        [
          [
            [4, 4],
            [2, 2],
          ],
          6,
        ],
      ],
    );
    assert.deepEqual(JSON.parse(counts), { events: 1, writes: 12, failed: 0, withoutFunction: 0 });
  });

  test('of a function that fails says so', async (t) => {
    const { url } = await brokerThat(t, (response) => response.writeHead(200).end('no JSON'));
    const { plan } = await scene(t, url);
    const { code, out } = await plan('--limit', '1');
    assert.equal(code, 1);
    assert.match(out, /message-changed failed: it answered 200: no JSON\n/);
    assert.match((await plan('--limit', '1', '--json')).out, /"failed":"it answered 200/);
  });

  test('for a cluster starts the functions here, and ends them', async (t) => {
    const { dir, plan } = await scene(t, '');
    const { code, out } = await plan('--kubeconfig', join(dir, 'kubeconfig'), '--limit', '1');
    assert.equal(code, 1);
    // Nobody is at that address: the function that runs here says so.
    assert.match(out, /message-changed failed: it answered 503: .*unavailable/);
  });
});
