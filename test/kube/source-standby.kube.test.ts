import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { serve } from '../../packages/controller/test/cluster/loopback.ts';
import { message } from '../build/objects.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { install, objectsIn, pathOf, put } from './install.ts';
import { until } from './until.ts';

/** From the death of the one that sends until the other one has reported what happened since; the goal of docs/source.md. */
const longestMs = 5000;
const namespace = 'default';

/** The kubeconfig with the rights of the source's account alone. */
function asAccount(text: string): string {
  const config = parse(text) as { readonly users: readonly { readonly user: Record<string, unknown> }[] };
  for (const { user } of config.users) user['as'] = 'system:serviceaccount:knudge:source';
  return stringify(config);
}

test('a source that stands by tells within 5 s of the death of the other, and sooner where that one ends in good order', async (t) => {
  const api = apiFrom(testKubeconfig());
  await install(api);
  const rights = ['deploy/components/source/account.yaml', 'deploy/components/source-standby/lease.yaml'];
  for (const object of rights.flatMap(objectsIn)) await put(api, object);
  const dir = mkdtempSync(join(tmpdir(), 'knudge-standby-'));
  const kubeconfig = join(dir, 'kubeconfig');
  writeFileSync(kubeconfig, asAccount(readFileSync(testKubeconfig(), 'utf8')));
  const sink = await serve(t, () => ({ status: 202 }));
  const all = new Set<ChildProcess>();
  t.after(async () => {
    for (const one of all) {
      one.kill('SIGKILL');
      if (one.exitCode === null && one.signalCode === null) await once(one, 'exit');
    }
    rmSync(dir, { recursive: true, force: true });
    for (const each of ['first', 'second', 'third'])
      await api('DELETE', pathOf('myorg.dev/v1', 'Message', { namespace, name: each }));
    await api('DELETE', '/apis/coordination.k8s.io/v1/namespaces/knudge/leases/source');
  });
  const start = () => {
    const env = {
      PATH: process.env['PATH'],
      NODE_NO_WARNINGS: '1',
      KUBECONFIG: kubeconfig,
      K_SINK: sink.url,
      NODE_COMPILE_CACHE: '.knudge/compile-cache',
      SOURCE_FILE: join(dir, 'source.db'),
      SOURCE_LEASE: 'source',
      PORT: '0',
      LISTEN_ADDRESS: '127.0.0.1',
    };
    const child = spawn(process.execPath, ['packages/start/function.ts', 'source'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    all.add(child);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const says = (what: string) =>
      until(`a source says ${what}`, async () => lines.some((line) => line.includes(what)));
    return { child, says };
  };
  const make = (name: string) =>
    api('POST', pathOf('myorg.dev/v1', 'Message', { namespace }), { body: message(name, 'a text', { namespace }) });
  const told = (name: string) =>
    until(`the sink is told of ${name}`, async () => sink.seen.some(({ headers }) => headers['ce-name'] === name));
  const msUntilTold = async (name: string, end: NodeJS.Signals, dying: ChildProcess): Promise<number> => {
    const began = performance.now();
    dying.kill(end);
    assert.equal((await make(name)).status, 201);
    await told(name);
    return performance.now() - began;
  };

  const first = start();
  await first.says('holds the Lease');
  const second = start();
  await second.says('waiting for the Lease');
  await make('first');
  await told('first');

  const killed = await msUntilTold('second', 'SIGKILL', first.child);
  const third = start();
  await third.says('waiting for the Lease');
  const ended = await msUntilTold('third', 'SIGTERM', second.child);
  await third.says('holds the Lease');
  t.diagnostic(`after kill -9 ${killed.toFixed(0)} ms, after SIGTERM ${ended.toFixed(0)} ms`);
  assert.ok(killed <= longestMs, `${killed.toFixed(0)} ms after kill -9`);
  assert.ok(ended <= longestMs / 2, `${ended.toFixed(0)} ms after SIGTERM`);
});
