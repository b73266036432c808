import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createBroker } from '../../../packages/mesh/broker/ingress.ts';
import { serveIngress } from '../../../packages/mesh/broker/ingress-server.ts';
import { aBroker, aTrigger, overHttp } from '../../../packages/mesh/test/broker/build.ts';
import { until } from '../../../test/kube/until.ts';
import { brokerThat, folderWith, idsUpTo } from './scene.ts';

suite('knudge replay', () => {
  for (const kind of ['MTChannelBasedBroker', 'Kafka'] as const) {
    test(`sends in order to a Broker of class ${kind}`, async (t) => {
      const { dir, run } = await folderWith(t, 25);
      const subscriber = await brokerThat(t, (response) => response.writeHead(204).end());
      const triggers = [aTrigger(subscriber.url)];
      const broker = createBroker(aBroker(kind), { triggers, deliver: overHttp, report: () => {}, dir });
      const came: string[] = [];
      const ingress: typeof broker.ingress = (event) => {
        came.push(String(event.attributes['id']));
        return broker.ingress(event);
      };
      const server = await serveIngress(new Map([['kn-demo/default', { ingress }]]), { port: 0 });
      t.after(async () => {
        await server.close();
        await broker.close();
      });
      const { code, out } = await run('replay', '--broker', `${server.url}/kn-demo/default`, '--rate', '1000').ended;
      assert.deepEqual([code, came], [0, idsUpTo(25)]);
      assert.match(out, /^25 events of .*events\.db sent\n$/);
      // One of class Kafka delivers what it has accepted, and keeps no order across its partitions.
      await until('all are delivered', async () => subscriber.ids.length === 25 || subscriber.ids.length);
      if (kind === 'MTChannelBasedBroker') assert.deepEqual(subscriber.ids, idsUpTo(25));
      assert.equal(subscriber.headers[0]?.['ce-knudgereplay'], 'true');
      assert.equal(subscriber.headers[0]?.['ce-kind'], 'ConfigMap');
    });
  }

  test('waits for a Broker that breaks off, and that is busy', async (t) => {
    const { run } = await folderWith(t, 4);
    const broker = await brokerThat(t, (response, _, count) => {
      if (count === 2) response.destroy();
      else if (count === 4) response.writeHead(503, { 'retry-after': '1' }).end();
      else response.writeHead(202).end();
    });
    const began = performance.now();
    const { code, said } = await run('replay', '--broker', broker.url).ended;
    assert.deepEqual([code, broker.ids], [0, ['e-1', 'e-2', 'e-2', 'e-3', 'e-3', 'e-4']]);
    assert.ok(performance.now() - began >= 1500);
    assert.match(said, /answered 503 to an event.*: the next try in 1\.0 s/);
  });

  test('ends where the Broker is away for long, and says where and how to go on', async (t) => {
    const { dir, run } = await folderWith(t, 6);
    const way = { isOpen: false };
    const broker = await brokerThat(t, (response, id) => {
      const isAway = !way.isOpen && id === 'e-4';
      response.writeHead(isAway ? 503 : 202, { 'retry-after': '3600' }).end();
    });
    const first = await run('replay', '--broker', broker.url, '--json').ended;
    assert.equal(first.code, 3);
    const summary = JSON.parse(first.out) as { next: string };
    assert.partialDeepStrictEqual(summary, { sent: 3, refused: 0, total: 6, end: 'failed', after: 3 });
    assert.match(summary.next, /^npx knudge replay --broker \S+ --json --dir \S+ --resume$/);
    assert.match(first.said, /"code":"unavailable"/);
    way.isOpen = true;
    const rest = await run('replay', '--broker', broker.url, '--resume').ended;
    assert.deepEqual([rest.code, broker.ids], [0, ['e-1', 'e-2', 'e-3', 'e-4', 'e-4', 'e-5', 'e-6']]);
    assert.equal(existsSync(join(dir, 'replay.json')), false);
    const none = await run('replay', '--broker', broker.url, '--resume').ended;
    assert.equal(none.code, 2);
    assert.match(none.said, /No replay of these events has ended early/);
  });

  test('that is told to end does so after the event on its way, and goes on after it', async (t) => {
    const { run } = await folderWith(t, 40);
    const broker = await brokerThat(t, (response) => void setTimeout(() => response.writeHead(202).end(), 20));
    const first = run('replay', '--broker', broker.url);
    await until('ten are sent', async () => broker.ids.length >= 10);
    first.child.kill('SIGINT');
    const { code, out } = await first.ended;
    assert.equal(code, 1);
    assert.match(
      out,
      /^stopped: \d+ events of .* sent\nThe last one was at place \d+; \d+ are left\. To go on: .* --resume\n$/,
    );
    assert.equal((await run('replay', '--broker', broker.url, '--resume', '--rate', '1000').ended).code, 0);
    assert.deepEqual(broker.ids, idsUpTo(40));
  });

  test('that is killed sends at most a hundred of them twice', async (t) => {
    const { run } = await folderWith(t, 400);
    const broker = await brokerThat(t);
    const first = run('replay', '--broker', broker.url, '--rate', '1000');
    await until('250 are sent', async () => broker.ids.length >= 250);
    first.child.kill('SIGKILL');
    await first.ended;
    const before = broker.ids.length;
    assert.ok(before < 400, String(before));
    assert.equal((await run('replay', '--broker', broker.url, '--resume', '--rate', '10000').ended).code, 0);
    assert.deepEqual([...new Set(broker.ids)], idsUpTo(400));
    assert.ok(broker.ids.length - 400 <= 101, String(broker.ids.length));
  });

  test('passes over what is too large, and tells it', async (t) => {
    const { run } = await folderWith(t, 3);
    const broker = await brokerThat(t, (response, id) => response.writeHead(id === 'e-2' ? 413 : 202).end());
    const { code, out } = await run('replay', '--broker', broker.url, '--json').ended;
    assert.deepEqual([code, broker.ids], [1, idsUpTo(3)]);
    const [refused, summary] = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    assert.partialDeepStrictEqual(refused, { refused: { seq: 2, id: 'e-2' } });
    assert.partialDeepStrictEqual(summary, { sent: 2, refused: 1, end: 'all' });
  });

  test('twice at once is harmless', async (t) => {
    const { dir, run } = await folderWith(t, 30);
    const brokers = await Promise.all([brokerThat(t), brokerThat(t)]);
    const both = await Promise.all(
      [...brokers.map(({ url }) => url), brokers[0].url].map((url) => run('replay', '--broker', url).ended),
    );
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0, 0],
    );
    assert.deepEqual(brokers[1].ids, idsUpTo(30));
    assert.deepEqual(brokers[0].ids.toSorted(), [...idsUpTo(30), ...idsUpTo(30)].sort());
    assert.equal(existsSync(join(dir, 'replay.json')), false);
  });

  test('of nothing asks for no Broker', async (t) => {
    const { run } = await folderWith(t, 3);
    for (const filter of [
      ['--id', 'none'],
      ['--dead-letters', 'open'],
      ['--until', '2001-01-01T00:00:00Z'],
    ]) {
      const { code, out } = await run('replay', ...filter).ended;
      assert.deepEqual([code, out.replace(/of .* sent/, 'sent')], [0, '0 events sent\n']);
    }
  });

  test('ends at its limit, and goes on from there', async (t) => {
    const { dir, run } = await folderWith(t, 5);
    const broker = await brokerThat(t);
    const args = ['replay', '--broker', broker.url, '--since', '24h', '--limit', '2'];
    assert.equal((await run(...args).ended).code, 0);
    assert.match(readFileSync(join(dir, 'replay.json'), 'utf8'), /"after": 2/);
    assert.equal((await run(...args, '--resume').ended).code, 0);
    assert.deepEqual(broker.ids, idsUpTo(4));
  });

  test('sends a file, and nothing of one that has a broken line', async (t) => {
    const { dir, run } = await folderWith(t, 0);
    const file = join(dir, 'events.ndjson');
    const line = (seq: number) =>
      JSON.stringify({ seq, id: `e-${seq}`, source: '/s', type: 't', time: '2026-03-01T12:00:00Z', extensions: {} });
    writeFileSync(file, `${line(1)}\n${line(2)}\n{"seq":3`);
    const broker = await brokerThat(t);
    const args = ['replay', '--file', file, '--broker', broker.url];
    const broken = await run(...args).ended;
    assert.deepEqual([broken.code, broker.ids], [1, []]);
    assert.match(broken.said, /events\.ndjson, line 3: it is not JSON\n$/);
    writeFileSync(file, `${line(1)}\n${line(2)}\n`);
    assert.equal((await run(...args, '--limit', '1').ended).code, 0);
    assert.equal((await run(...args, '--resume').ended).code, 0);
    assert.deepEqual(broker.ids, idsUpTo(2));
    assert.equal((await run(...args, '--limit', '1').ended).code, 0);
    writeFileSync(file, '');
    assert.match((await run(...args, '--resume').ended).said, /is shorter than it was/);
    assert.equal((await run(...args).ended).code, 0);
    for (const wrong of [dir, join(dir, 'nothing')]) {
      const { code, said } = await run('replay', '--file', wrong, '--broker', broker.url).ended;
      assert.equal(code, 2, said);
    }
  });
});
