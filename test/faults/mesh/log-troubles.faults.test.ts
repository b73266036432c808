import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { readSqlite } from '../../../packages/event-log/store/sqlite.ts';
import { bridged } from '../../../packages/event-log/store/unattended.ts';
import { withoutClock } from '../../../packages/event-log/test/replay/edits.ts';
import { until } from '../../kube/until.ts';
import { startProcessIn } from '../../mesh/running-mesh.ts';
import { askForResync } from './later.ts';
import { full, openSmallDisk, slow, stopped, type Trouble } from './log-troubles.ts';
import { clusterOf, figuresOf, podTime } from './pod-time.ts';
import { copyProject, withEnv, withSpec } from './project-copy.ts';
import '../../../resources/managed/kinds.ts';

const messages = Number(process.env['MESSAGES'] ?? 40);

interface Row {
  readonly name: string;
  readonly trouble: Trouble;
  readonly messages: number;
  /** Milliseconds that a reconcile may take more, half of the time and 99 times in a hundred. */
  readonly more: { readonly p50: number; readonly p99: number };
}

test('a log that is full, slow or stands still, beside the same mesh without a log', async (context) => {
  const disk = openSmallDisk(context);
  const troubled = copyProject((object) => withLogAt(disk.file, withoutClock(object)));
  const free = copyProject((object) =>
    isTrigger(object) ? withSpec(object, 'Trigger', nothing) : withoutClock(object),
  );
  for (const { remove } of [troubled, free]) context.after(remove);
  const meshes = { troubled: await startProcessIn(troubled.root, []), free: await startProcessIn(free.root, []) };
  for (const { remove } of Object.values(meshes)) context.after(remove);
  const clusters = { troubled: await clusterOf(meshes.troubled), free: await clusterOf(meshes.free) };
  for (const { close } of Object.values(clusters)) context.after(close);
  const rows: readonly Row[] = [
    {
      name: `full (${disk.isMounted ? 'ENOSPC' : 'EFBIG'})`,
      trouble: full(disk),
      messages,
      more: { p50: 100, p99: 300 },
    },
    { name: 'slow: 200 ms for each append', trouble: slow(disk, 200), messages, more: { p50: 100, p99: 300 } },
    { name: 'a process that stands still', trouble: stopped, messages, more: { p50: 100, p99: 300 } },
  ];
  for (const [at, { name, trouble, messages: count, more }] of rows.entries()) {
    await context.test(name, async (t) => {
      const times = { troubled: [] as number[], free: [] as number[] };
      for (const which of ['troubled', 'free'] as const) await podTime(clusters[which], `first-${at}`);
      const [end, began] = [trouble(meshes.troubled), performance.now()];
      for (let n = 0; n < count; n += 1) {
        for (const which of ['troubled', 'free'] as const)
          times[which].push(await podTime(clusters[which], `m-${at}-${n}`));
      }
      // With an event for everybody: one Trigger that fails to the end would make it a failure.
      await askForResync(meshes.troubled.state.broker);
      await end();
      const lasted = performance.now() - began;
      const [found, calm] = [figuresOf(times.troubled), figuresOf(times.free)];
      const text = `${count} Messages to their Pods beside a log that is ${name}: p50 ${found.p50.toFixed(0)} ms, p99 ${found.p99.toFixed(0)} ms; without the log p50 ${calm.p50.toFixed(0)} ms, p99 ${calm.p99.toFixed(0)} ms`;
      t.diagnostic(`counted: ${text}`);
      assert.ok(found.p50 < calm.p50 * 2 + more.p50, text);
      assert.ok(found.p99 < calm.p99 * 2 + more.p99, text);
      const names = Array.from({ length: count }, (_, n) => `m-${at}-${n}`);
      t.diagnostic(`counted: that lasted ${(lasted / 1000).toFixed(0)} s`);
      if (lasted < bridged) await until('all of that time is in the log', () => allAreIn(disk.file, names), 120);
      await until('the log keeps events again', async () => keeps(disk.file, clusters.troubled, at), 60);
    });
  }
});

async function allAreIn(file: string, names: readonly string[]): Promise<unknown> {
  const reader = readSqlite(file);
  const found = await reader.events({ kind: 'Message' }, { order: 'newest-first', limit: 1000 });
  reader.close();
  const missing = names.filter((name) => !found.some((event) => event.name === name));
  return missing.length === 0 || missing;
}

let probes = 0;

async function keeps(file: string, cluster: Awaited<ReturnType<typeof clusterOf>>, at: number): Promise<unknown> {
  probes += 1;
  const name = `probe-${at}-${probes}`;
  await podTime(cluster, name);
  const reader = readSqlite(file);
  const found = await reader.events({ kind: 'Message', name }, { order: 'newest-first', limit: 1 });
  reader.close();
  return found.length > 0 || 'not yet';
}

function withLogAt(file: string, object: KubeObject): KubeObject {
  return object.metadata.name === 'event-log' ? withEnv(object, { EVENT_LOG: file }) : object;
}

function isTrigger({ kind, metadata }: KubeObject): boolean {
  return kind === 'Trigger' && metadata.name === 'event-recorded';
}

/** No event is such. */
const nothing = { filters: [{ exact: { type: 'none' } }] };
