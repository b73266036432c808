import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { brokerThat, folderWith } from './scene.ts';

const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };

function planOf(image: string): string {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'msg-hello', namespace: 'shop' }, spec: { image } };
  const plan = { writes: [{ do: 'create', object }], notices: [], again: false };
  return JSON.stringify({ plans: [{ ref, plan }] });
}

const says = (image: string) => (response: ServerResponse) => response.end(planOf(image));

/** A file with two events for message-changed, a tick and one for nobody. */
async function scene(t: TestContext) {
  const { dir, run } = await folderWith(t, 0);
  const event = (seq: number, type: string, kind?: string) => {
    const about = kind === undefined ? {} : { kind, namespace: 'shop', name: 'hello' };
    const time = '2026-03-01T12:00:00Z';
    return JSON.stringify({
      seq,
      id: `e-${seq}`,
      source: '/s',
      type,
      time,
      ...about,
      extensions: { apiversion: 'myorg.dev/v1' },
    });
  };
  const lines = [
    event(1, 'dev.knative.apiserver.resource.update', 'Message'),
    event(2, 'dev.knative.sources.ping'),
    event(3, 'shop.sold'),
    event(4, 'dev.knudge.resync.requested', 'Message'),
  ];
  const file = join(dir, 'events.ndjson');
  writeFileSync(file, lines.join('\n'));
  const shadow = (...args: readonly string[]) => run('shadow', 'message-changed', '--file', file, ...args).ended;
  return { shadow, file, run };
}

suite('knudge shadow', () => {
  test('says that two versions plan the same', async (t) => {
    const { shadow } = await scene(t);
    const [here, there] = [await brokerThat(t, says('a')), await brokerThat(t, says('a'))];
    const { code, out } = await shadow('--against', here.url, '--url', there.url);
    assert.deepEqual([code, out], [0, 'message-changed: 2 equal, 0 different, 0 failed; 1 event is not for it\n']);
    assert.deepEqual(
      [here.ids, there.ids],
      [
        ['e-1', 'e-4'],
        ['e-1', 'e-4'],
      ],
    );
  });

  test('says where they differ, having asked twice', async (t) => {
    const { shadow } = await scene(t);
    const [here, there] = [await brokerThat(t, says('a')), await brokerThat(t, says('b'))];
    const { code, out } = await shadow('--against', here.url, '--url', there.url, '--limit', '1');
    assert.equal(code, 1);
    assert.match(
      out,
      /^1 {2}\S+ {2}resource\.update {2}Message shop\/hello {2}e-1\n {4}create Pod shop\/msg-hello \/spec\/image: "a" here, "b" there\n/,
    );
    assert.equal(here.ids.length, 2);
    const lines = (await shadow('--against', here.url, '--url', there.url, '--json')).out.trimEnd().split('\n');
    const [first, , summary] = lines.map((line) => JSON.parse(line) as unknown);
    assert.partialDeepStrictEqual(first, {
      kind: 'different',
      event: { id: 'e-1' },
      differences: [{ field: '/spec/image', here: 'a' }],
    });
    assert.deepEqual(summary, { equal: 0, different: 2, failed: 0, others: 1 });
  });

  test('takes no change between two reads for a difference', async (t) => {
    const { shadow } = await scene(t);
    const here = await brokerThat(t, says('a'));
    const there = await brokerThat(t, (response, _, count) => says(count === 1 ? 'b' : 'a')(response));
    assert.equal((await shadow('--against', here.url, '--url', there.url)).code, 0);
  });

  test('counts what a version does not answer with a plan', async (t) => {
    const { shadow } = await scene(t);
    const here = await brokerThat(t, (response) => response.writeHead(204).end());
    const there = await brokerThat(t, (response) => response.writeHead(503).end('busy'));
    const { code, out } = await shadow('--against', here.url, '--url', there.url);
    assert.equal(code, 1);
    assert.match(out, /failed: the other version: it answered 503: busy\n/);
    assert.match(out, /: 0 equal, 0 different, 2 failed;/);
    const turned = await shadow('--against', there.url, '--url', here.url);
    assert.match(turned.out, /failed: this version: it answered 503/);
  });

  test('ends where nobody answers, or no mesh runs', async (t) => {
    const { shadow, run } = await scene(t);
    const there = await brokerThat(t, says('a'));
    const gone = await shadow('--against', 'http://127.0.0.1:1025/', '--url', there.url);
    assert.equal(gone.code, 3);
    assert.match(gone.said, /127\.0\.0\.1:1025\/ does not answer: .*ECONNREFUSED/);
    const { code, said } = await shadow('--url', there.url);
    assert.equal(code, 3);
    assert.match(said, /No mesh runs in/);
    const other = await run('shadow', 'resync-due', '--url', there.url).ended;
    assert.equal(other.code, 2);
    assert.match(other.said, /resync-due makes no plan/);
  });
});
