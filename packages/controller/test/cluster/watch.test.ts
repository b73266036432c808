import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWatch } from '../../cluster/watch.ts';
import { failure } from './build.ts';
import { eventually, path, pod, serveWatches, watching } from './watch-api.ts';

describe('a watch', () => {
  it('begins at the version of the list, with bookmarks, and tells nothing of what is there', async (t) => {
    const api = await serveWatches(t);
    const { seen, kinds } = await watching(t, api, { selector: 'a in (b,c)' });
    const [list] = api.lists();
    assert.deepEqual(Object.fromEntries(list ?? []), { limit: '1', labelSelector: 'a in (b,c)' });
    assert.deepEqual(Object.fromEntries(api.watches()[0] ?? []), {
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '10',
      timeoutSeconds: '1',
      labelSelector: 'a in (b,c)',
    });
    assert.match(api.seen[0]?.headers.accept ?? '', /PartialObjectMetadataList/);
    assert.deepEqual(kinds(), ['watching']);
    assert.deepEqual(seen, []);
  });

  it('tells changes one after another, however the bytes arrive', async (t) => {
    const api = await serveWatches(t);
    const release = Promise.withResolvers<void>();
    const order: string[] = [];
    await watching(t, api, {
      seen: async (type, { metadata }) => {
        order.push(`begin ${type} ${metadata.name}`);
        if (metadata.name === 'ä') await release.promise;
        order.push(`end ${metadata.name}`);
      },
    });
    const bytes = Buffer.from(
      [['ADDED', pod('ä', '11')] as const, ['MODIFIED', pod('b', '12')] as const, ['DELETED', pod('c', '13')] as const]
        .map(([type, object]) => `${JSON.stringify({ type, object })}\n`)
        .join(''),
    );
    const half = bytes.indexOf(0xc3) + 1;
    api.pushRaw(path, bytes.subarray(0, half));
    await sleep(10);
    api.pushRaw(path, bytes.subarray(half));
    await eventually('the first is begun', () => order.length === 1);
    await sleep(10);
    assert.deepEqual(order, ['begin ADDED ä']);
    release.resolve();
    await eventually('all are done', () => order.length === 6);
    assert.deepEqual(order.slice(2), ['begin MODIFIED b', 'end b', 'begin DELETED c', 'end c']);
  });

  for (const how of ['end', 'destroy'] as const) {
    it(`goes on where it was after its connection came to an ${how === 'end' ? 'orderly' : 'early'} end`, async (t) => {
      const api = await serveWatches(t);
      const { seen, kinds } = await watching(t, api);
      api.push(path, 'ADDED', pod('a', '11'));
      await eventually('it is seen', () => seen.length === 1);
      api.push(path, 'BOOKMARK', { kind: 'Pod', metadata: { resourceVersion: '20' } });
      await sleep(10);
      api.end(how);
      await eventually('it watches again', () => api.watches().length === 2);
      assert.equal(api.watches()[1]?.get('resourceVersion'), '20', 'the bookmark moved it on');
      assert.equal(api.lists().length, 1);
      assert.deepEqual(seen, ['ADDED a 11']);
      await eventually('it says so', () => kinds().length === (how === 'end' ? 1 : 3));
      assert.deepEqual(kinds(), how === 'end' ? ['watching'] : ['watching', 'blind', 'watching']);
    });
  }

  it('does not hammer a server that ends every watch at once', async (t) => {
    const api = await serveWatches(t);
    const over = { body: '' };
    api.next('watch', ...Array.from({ length: 200 }, () => over));
    await watching(t, api, { pace: { firstBackoffMs: 50 } });
    await sleep(220);
    assert.ok(api.watches().length <= 6, `${api.watches().length} watches in 220 ms`);
  });

  it('ends when it is told to, even while a change is being handled', async (t) => {
    const api = await serveWatches(t);
    let handled = 0;
    const { watch } = await watching(t, api, {
      seen: () => {
        handled += 1;
        return new Promise(() => undefined);
      },
    });
    api.push(path, 'ADDED', pod('a', '11'));
    api.push(path, 'ADDED', pod('b', '12'));
    await eventually('it is being handled', () => handled === 1);
    await watch.close();
    assert.equal(handled, 1);
  });

  it('ends in the middle of its back-off', async (t) => {
    const api = await serveWatches(t);
    api.next('watch', { status: 503, body: failure(503, 'ServiceUnavailable') });
    const { watch } = await watching(t, api, { pace: { firstBackoffMs: 60_000, longestBackoffMs: 60_000 } });
    const began = performance.now();
    await watch.close();
    assert.ok(performance.now() - began < 1000);
  });

  it('over plain HTTP to another machine is refused', () => {
    const access = { server: 'http://192.0.2.1', credentials: async () => ({}) };
    const nothing = { seen: async () => undefined, tell: () => undefined };
    assert.throws(() => startWatch({ access, version: '1', path, selector: '', ...nothing }), { code: 'misuse' });
  });
});
