import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { apiFrom } from '../kube/api.ts';
import { until } from '../kube/until.ts';
import { type RunningMesh, startProcess } from '../mesh/running-mesh.ts';

/** Where a process listens: `0100007F:1F90` is 127.0.0.1:8080. */
function listeningOf(pid: number): readonly string[] {
  const own = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && own.includes(`socket:[${inode}]`))
      .map(([, local = '']) => local),
  );
}

function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent: false }, (answer) => resolve(answer.resume().statusCode ?? 0));
    asked.on('error', reject).end();
  });
}

suite('what runs on a machine of a developer', { skip: platform() !== 'linux' && 'there is no /proc' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-data-'));
  const data = join(folder, 'data');
  let mask: number;
  let mesh: RunningMesh;
  let pids: readonly number[];
  before(async () => {
    // A mesh inherits it: nothing is kept from anybody but by itself.
    mask = process.umask(0);
    mesh = await startProcess('--data', data, '--overlay', 'kafka', '--examples');
    const { functions } = mesh.state;
    await until('the log answers', async () => (await fetch(`${functions['event-log'] ?? ''}/events`)).ok, 60);
    const own = Number(readFileSync(join(mesh.dir, 'mesh.pid'), 'utf8'));
    pids = [own, ...Object.keys(functions).flatMap((stem) => mesh.pidsOf(stem))];
  });
  after(() => {
    process.umask(mask);
    mesh.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test('listens on loopback alone, its functions too', () => {
    const found = pids.flatMap(listeningOf);
    // The API, the ingress, the address of each function, and at least one process of those.
    assert.ok(found.length > Object.keys(mesh.state.functions).length + 2, found.join());
    for (const one of found) assert.match(one, /^0100007F:/);
  });

  test('refuses a foreign Host and a foreign Origin at each of its ports', async () => {
    const ports = pids.flatMap(listeningOf).map((one) => Number.parseInt(one.split(':')[1] ?? '', 16));
    for (const port of ports) {
      const url = `http://127.0.0.1:${port}/`;
      assert.equal(await statusOf(url, { host: `evil.example:${port}` }), 403);
      assert.equal(await statusOf(url, { origin: 'http://evil.example' }), 403);
      assert.notEqual(await statusOf(url, { origin: url.slice(0, -1) }), 403);
    }
  });

  test('writes files that nobody else may read', async () => {
    const names = ['kubeconfig', 'state.json', 'events.db', 'events.db-wal', 'events.db-shm'];
    const written = names.map((name) => join(mesh.dir, name));
    await until('objects and events are kept', async () => globSync(`${data}/**/*.sqlite*`).length > 1);
    const all = [...written, data, ...globSync(`{${mesh.dir},${data}}/**`).filter((path) => path !== mesh.dir)];
    assert.ok(all.length > 10);
    const open = all.filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
    assert.deepEqual(open, []);
    for (const path of written) assert.equal(statSync(path).mode & 0o777, 0o600, path);
  });

  test('is there for a client with its kubeconfig, and for nobody without the token', async () => {
    assert.equal((await apiFrom(mesh.state.kubeconfig)('GET', '/api/v1/secrets')).status, 200);
    assert.equal(await statusOf(`${mesh.state.apiServer}/api/v1/secrets`, {}), 401);
  });
});
