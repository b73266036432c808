import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { type Cluster, createCluster } from '../../packages/controller/cluster/cluster.ts';
import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { refOf } from '../../packages/controller/domain/kube-object.ts';
import { readSqlite } from '../../packages/event-log/store/sqlite.ts';
import { message } from '../build/objects.ts';
import { copyProject } from '../faults/mesh/project-copy.ts';
import { until } from '../kube/until.ts';
import { type RunningMesh, startProcess, startProcessIn } from './running-mesh.ts';
import { accessTo } from './way-in.ts';
import '../../resources/managed/kinds.ts';

const namespace = 'event-log';

interface Arena {
  readonly mesh: RunningMesh;
  readonly cluster: Cluster;
}

/** A mesh whose log is there already. */
async function enter(context: TestContext, mesh: RunningMesh): Promise<Arena> {
  context.after(mesh.remove);
  const log = mesh.state.functions['event-log'] ?? '';
  await until('the log has its file', async () => (await fetch(`${log}/events`)).status === 200);
  const access = accessTo(mesh.state);
  const cluster = createCluster({ access, version: 'test', instance: 'test', onLostNotice: () => undefined });
  context.after(() => cluster.close());
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return { mesh, cluster };
}

/** Milliseconds from the creation of a Message to its Pod. */
async function timeOf({ cluster }: Arena, name: string): Promise<number> {
  const began = performance.now();
  const { metadata } = await cluster.create(message(name, 'hi', { namespace }));
  const pod = { apiVersion: 'v1', kind: 'Pod', namespace: metadata.namespace ?? '', name: `msg-${name}` };
  while ((await cluster.get(pod)) === undefined) {
    assert.ok(performance.now() - began < 30_000, `${name} got no Pod`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - began;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

test('what happens in a mesh is in its log, in a file beside it and over HTTP', async (context) => {
  const arena = await enter(context, await startProcess());
  const { mesh, cluster } = arena;
  await timeOf(arena, 'hello');
  const page = { order: 'oldest-first', limit: 1000 } as const;
  const reader = readSqlite(join(mesh.dir, 'events.db'));
  context.after(() => reader.close());
  const kept = (kind: string, name: string) => reader.events({ kind, namespace, name }, page);
  await until('both are kept', async () => {
    const counts = [(await kept('Message', 'hello')).length, (await kept('Pod', 'msg-hello')).length];
    return counts.every((count) => count > 0) || counts;
  });
  const types = new Set((await reader.events({}, page)).map(({ type }) => type));
  for (const type of ['dev.knative.apiserver.resource.add', 'dev.knudge.resync.due']) assert.ok(types.has(type), type);
  const url = `${mesh.state.functions['event-log']}/events?kind=Message&name=hello`;
  const { events } = (await (await fetch(url)).json()) as { events: RecordedEvent[] };
  const live = await cluster.get(refOf(message('hello', '', { namespace })));
  assert.equal(
    (events.at(-1)?.data as { metadata: { uid: string } } | undefined)?.metadata.uid,
    live?.metadata.uid,
    'the data is that of the object',
  );
  await context.test('a dead letter is kept with its reason, and can be sent again', async () => {
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': 'bad',
      'ce-source': '/test',
      'content-type': 'application/json',
    };
    const about = {
      'ce-type': 'dev.knative.apiserver.resource.update',
      'ce-kind': 'Message',
      'ce-namespace': namespace,
    };
    const all = { ...headers, ...about, 'ce-apiversion': 'myorg.dev/v1', 'ce-name': 'hello' };
    await fetch(mesh.state.broker, { method: 'POST', headers: all, body: '{"kind":"Pod"}' });
    const base = `${mesh.state.functions['event-log']}/dead-letters`;
    const letters = async () =>
      ((await (await fetch(`${base}?id=bad`)).json()) as { deadLetters: Record<string, unknown>[] }).deadLetters;
    await until('it is kept', async () => (await letters()).length === 1);
    const [letter] = await letters();
    assert.equal(letter?.['destination'], 'http://message-changed.knudge.svc.cluster.local');
    assert.equal(letter['status'], 400);
    assert.match(String(letter['said']), /^invalid-event: /);
    const json = { 'content-type': 'application/json' };
    const again = await fetch(`${base}/${String(letter['seq'])}/retry`, { method: 'POST', headers: json });
    const { times, state } = (await again.json()) as { times: number; state: string };
    assert.deepEqual([times, state], [2, 'open'], 'it failed once more');
    assert.equal((await kept('Message', 'hello')).filter(({ id }) => id === 'bad').length, 1);
  });
});

test('a log that does not take anything delays nobody', async (context) => {
  const without = copyProject((object) => {
    if (object.kind !== 'Trigger' || object.metadata.name !== 'event-recorded') return object;
    const { spec } = object as unknown as { readonly spec: object };
    return { ...object, spec: { ...spec, filters: [{ exact: { type: 'none' } }] } } as typeof object;
  });
  context.after(without.remove);
  const hung = await enter(context, await startProcess());
  const free = await enter(context, await startProcessIn(without.root, []));
  const file = join(hung.mesh.dir, 'events.db');
  for (const arena of [hung, free]) await timeOf(arena, 'first');
  const lock = new DatabaseSync(file);
  lock.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
  const times: { readonly hung: number[]; readonly free: number[] } = { hung: [], free: [] };
  for (let n = 0; n < 40; n += 1) {
    times.hung.push(await timeOf(hung, `m-${n}`));
    times.free.push(await timeOf(free, `m-${n}`));
  }
  lock.exec('ROLLBACK');
  lock.close();
  const figures = (['hung', 'free'] as const).map((which) => {
    const [p50, p99] = [0.5, 0.99].map((share) => percentile(times[which], share).toFixed(0));
    return `${which === 'hung' ? 'beside a log that takes nothing' : 'without the log'} p50 ${p50} ms, p99 ${p99} ms`;
  });
  context.diagnostic(`counted: 40 Messages to their Pods: ${figures.join('; ')}`);
  assert.ok(percentile(times.hung, 0.5) < percentile(times.free, 0.5) * 2 + 250, figures.join('; '));
  assert.ok(percentile(times.hung, 0.99) < percentile(times.free, 0.99) * 2 + 750, figures.join('; '));
  await context.test('what it did not take meanwhile comes again', async () => {
    const reader = readSqlite(file);
    context.after(() => reader.close());
    const page = { order: 'oldest-first', limit: 1000 } as const;
    const isKept = async (name: string) => (await reader.events({ kind: 'Message', name }, page)).length > 0;
    const names = Array.from({ length: 40 }, (_, n) => `m-${n}`);
    await until(
      'all are kept',
      async () => {
        const kept = await Promise.all(names.map(isKept));
        return kept.every(Boolean) || `${kept.filter(Boolean).length} of 40`;
      },
      120,
    );
    assert.deepEqual(await reader.gaps(page), []);
  });
});

test('a log that has no process delays nobody', async (context) => {
  const arena = await enter(context, await startProcess());
  const { mesh } = arena;
  for (let n = 0; n < 3; n += 1) await timeOf(arena, `warm-${n}`);
  const times = { before: [] as number[], away: [] as number[] };
  for (let n = 0; n < 20; n += 1) times.before.push(await timeOf(arena, `b-${n}`));
  // Stopped: it takes connections and answers nothing, as the activator does for a Pod that does not come.
  const pids = mesh.pidsOf('event-log');
  assert.ok(pids.length > 0);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  for (let n = 0; n < 20; n += 1) times.away.push(await timeOf(arena, `a-${n}`));
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  const [before, away] = [percentile(times.before, 0.5), percentile(times.away, 0.5)];
  const figures = `Message to Pod p50 ${before.toFixed(0)} ms with the log, ${away.toFixed(0)} ms without`;
  context.diagnostic(`counted: ${figures}`);
  assert.ok(away < before * 2 + 250, figures);
  const url = `${mesh.state.functions['event-log']}/events?kind=Message&name=a-19`;
  await until(
    'what came meanwhile is kept',
    async () => {
      const { events } = (await (await fetch(url)).json()) as { events: RecordedEvent[] };
      return events.length > 0 || events;
    },
    120,
  );
});
