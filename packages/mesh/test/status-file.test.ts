import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/kube/until.ts';
import type { Hop } from '../hop.ts';
import { keepStatus, readStatus } from '../status-file.ts';

test('the file says what is awake, the last cold start, the last event and the Triggers, and each hop is passed on', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-'));
  context.after(() => rmSync(dir, { recursive: true }));
  assert.deepEqual(readStatus(dir), { processes: {}, functions: {} });
  const seen: Hop[] = [];
  const { report, deliversBy, close } = keepStatus(
    dir,
    (hop) => seen.push(hop),
    () => new Date('2026-11-27T12:00:00Z'),
  );
  const attributes = { type: 't', kind: 'Pod', namespace: 'shop', name: 'web-1' };
  const event = { attributes, data: Buffer.alloc(0) };
  const headers = { 'knudge-outcome': 'done; reads=1; writes=0' };
  const hops: readonly Hop[] = [
    { kind: 'woke', function: 'f', coldMs: 12.4, pids: [7] },
    { kind: 'delivered', trigger: 'knudge/pod-changed', event, attempt: 1, status: 204, ms: 1, headers },
    { kind: 'slept', function: 'f', pids: [] },
    { kind: 'woke', function: 'g', coldMs: 1, pids: [7, 8] },
    { kind: 'crashed', function: 'g', why: 'x' },
  ];
  const delivery = { retry: 0, backoff: 'linear', backoffDelayMs: 0 } as const;
  const own = { namespace: 'knudge', name: 'all', broker: 'main', filters: [], ordered: false, delivery } as const;
  const triggers = [{ ...own, subscriber: { kind: 'function', namespace: 'knudge', name: 'f' } as const }];
  for (const hop of hops) report(hop);
  deliversBy(triggers);
  assert.deepEqual(seen, hops);
  await until('written', async () => Object.keys(readStatus(dir).processes).length === 2);
  close();
  const last = { time: '2026-11-27T12:00:00.000Z', ...attributes, status: 204, outcome: headers['knudge-outcome'] };
  assert.deepEqual(readStatus(dir), {
    processes: { f: { awake: 0, pids: [], coldMs: 12 }, g: { awake: 0, pids: [], coldMs: 1, crashing: 'x' } },
    functions: { 'pod-changed': last },
    triggers,
  });
});
