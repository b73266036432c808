import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { eventually, pod, serveWatches } from '../../../controller/test/cluster/watch-api.ts';
import type { Hop } from '../../hop.ts';
import type { SourceSpec } from '../../mesh-spec.ts';
import { startApiServerSource } from '../../sources/api-server-source.ts';

const spec: SourceSpec = {
  namespace: 'home',
  name: 'objects',
  mode: 'Resource',
  resources: [{ apiVersion: 'v1', kind: 'Pod', selector: '' }],
  namespaces: { kind: 'all' },
  sink: { kind: 'uri', uri: 'http://sink/' },
  overrides: {},
};

/** A source whose sink takes what is not of the namespace loud, and that only when the test says so. */
async function start(t: TestContext) {
  const api = await serveWatches(t);
  const hops: Hop[] = [];
  const asked: string[] = [];
  const release = Promise.withResolvers<void>();
  const source = await startApiServerSource(spec, {
    access: { server: api.url, credentials: async () => ({}) },
    version: '1',
    send: async ({ attributes: { namespace, name } }) => {
      asked.push(`${namespace}/${name}`);
      if (namespace === 'loud') await release.promise;
      return { status: 202 };
    },
    report: (hop) => hops.push(hop),
  });
  const push = (namespace: string, name: string): void =>
    api.push('/api/v1/pods', 'ADDED', pod(name, '11', { namespace }));
  return { push, hops, asked, release, source };
}

const countOf = (hops: readonly Hop[], kind: Hop['kind']): number => hops.filter((hop) => hop.kind === kind).length;

describe('an ApiServerSource', () => {
  it('sends the changes of one namespace one after the other, and those of another do not wait for them', async (t) => {
    const { push, hops, asked, release, source } = await start(t);
    t.after(source.close);
    for (const name of ['a', 'b', 'c']) push('loud', name);
    for (const name of ['d', 'e']) push('calm', name);
    await eventually('the others are sent', () => countOf(hops, 'sent') === 2);
    assert.deepEqual(asked, ['loud/a', 'calm/d', 'calm/e']);
    release.resolve();
    await eventually('all are sent', () => countOf(hops, 'sent') === 5);
    assert.deepEqual(asked.slice(3), ['loud/b', 'loud/c']);
  });

  it('loses what comes when 10,000 changes of a namespace wait, tells it, and goes on with the others', async (t) => {
    const { push, hops, release, source } = await start(t);
    t.after(source.close);
    for (let at = 0; at < 10_002; at += 1) push('loud', `p-${at}`);
    push('calm', 'a');
    await eventually('the other is sent', () => countOf(hops, 'sent') === 1);
    assert.equal(countOf(hops, 'lost'), 2);
    release.resolve();
    await eventually('what waited is sent', () => countOf(hops, 'sent') === 10_001);
  });

  it('that is closed waits for nobody, and tells what it did not send', async (t) => {
    const { push, hops, asked, source } = await start(t);
    for (const name of ['a', 'b', 'c']) push('loud', name);
    await eventually('one is under way', () => asked.length === 1);
    await source.close();
    assert.equal(countOf(hops, 'lost'), 3);
  });
});
