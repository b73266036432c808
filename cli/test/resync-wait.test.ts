import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSqlite } from '../../packages/event-log/store/sqlite.ts';
import { delivered } from '../../packages/event-log/test/store/delivery-cases.ts';
import { received } from '../../packages/event-log/test/store/event.ts';
import { startEmbedded } from '../../packages/mesh/cluster/embedded.ts';
import type { BrokerOptions } from '../broker.ts';
import { cameOf, placesNow } from '../wait/came-of-round.ts';
import { resyncAndWait } from '../wait/resync.ts';
import { newFolder, recordedAt } from './log-folder.ts';

const dir = mkdtempSync(join(tmpdir(), 'knudge-resync-'));
const kubeconfig = join(dir, 'kubeconfig');
let api: Awaited<ReturnType<typeof startEmbedded>>;

/** A Lease as it is after this round, or while that one is under way. */
const leaseSays = (round: string, underWay?: string) =>
  api.apply([
    {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        ...{ name: 'knudge-resync', namespace: 'knudge' },
        annotations: {
          'knudge.dev/round': round,
          ...(underWay && { 'knudge.dev/round-under-way': JSON.stringify({ id: underWay }) }),
        },
      },
      ...{ spec: { renewTime: `2026-11-27T12:00:0${round.length % 10}.000000Z` } },
    },
  ]);
const options = (timeout: number) => ({ kubeconfig, dir, namespace: 'knudge', timeout }) as BrokerOptions;

before(async () => {
  api = await startEmbedded({ port: 0, kubeconfig, version: '0.0.0' });
  await api.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'knudge' } }]);
  await leaseSays('before');
});
after(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

test('a resync is over when its Lease names its own event, not another', async () => {
  let isOwn = false;
  const send = async () => {
    await leaseSays('before', 'own');
    setTimeout(async () => {
      isOwn = true;
      await leaseSays('own');
    }, 700);
    return { id: 'own' };
  };
  const { sent, seconds, outcome } = await resyncAndWait(options(10), send);
  assert.deepEqual([sent, isOwn, outcome], [{ id: 'own' }, true, undefined]);
  assert.ok(seconds > 0);
});

test('a resync that another one has kept out is asked for again, when that one is over', async () => {
  await leaseSays('before', 'other');
  const asked: string[] = [];
  const send = async () => {
    const id = `own-${asked.length}`;
    asked.push(id);
    if (asked.length === 1) setTimeout(() => void leaseSays('other'), 300);
    else setTimeout(() => void leaseSays(id), 300);
    return { id };
  };
  const { sent } = await resyncAndWait(options(10), send);
  assert.deepEqual([sent.id, asked], ['own-1', ['own-0', 'own-1']]);
});

test('a resync that ends without having asked after everything fails', async () => {
  const send = async () => {
    await leaseSays('before', 'own');
    setTimeout(() => void leaseSays('before'), 600);
    return { id: 'own' };
  };
  await assert.rejects(resyncAndWait(options(10), send), /is over, but has not asked after every object/);
});

test('a resync that is not over in time fails with how long it was waited for', async () => {
  await assert.rejects(
    resyncAndWait(options(0.3), async () => ({ id: 'own' })),
    /was not over within 0\.3 s/,
  );
});

test('who names a Broker has no cluster to wait in', async () => {
  const other = { ...options(1), broker: 'http://127.0.0.1:1/knudge/knudge' };
  await assert.rejects(
    resyncAndWait(other, async () => ({ id: 'own' })),
    /name its --kubeconfig instead of --broker/,
  );
});

test('of a round it is counted what functions report of its objects, and of no other event', async (t) => {
  const log = await openSqlite(join(newFolder(t), 'events.db'), () => Date.parse(recordedAt));
  t.after(() => log.close());
  const asked = (id: string, source = '/knudge/resync-due') =>
    log.append({ ...received({ id, type: 'dev.knudge.resync.requested' }), source });
  const came = (id: string, more: object) =>
    log.appendDeliveries([delivered({ event: { id, source: '/knudge/resync-due' }, status: 204, ...more })]);
  await asked('own/0');
  await came('own/0', { writes: 1 });
  const after = await placesNow(log);
  for (const id of ['own/1', 'own/2', 'own/3', 'other/1']) await asked(id);
  await asked('own/4', '/knudge/cli');
  await came('own/1', { attempt: 1, status: 503, writes: 1 });
  await came('own/1', { attempt: 2, writes: 0 });
  await came('own/2', { writes: 2 });
  await came('other/1', { writes: 2 });
  const until = performance.now();
  assert.deepEqual(await cameOf('own', { log, after, until }), { asked: 3, repaired: 1, failed: 0, open: 1 });
  await came('own/3', { status: 400, writes: 0 });
  const outcome = await cameOf('own', { log, after, until: until + 30_000 });
  assert.deepEqual(outcome, { asked: 3, repaired: 1, failed: 1, open: 0 });
});
