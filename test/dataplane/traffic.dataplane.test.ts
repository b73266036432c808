import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { knudge } from '../../cli/test/knudge.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { readState } from '../../packages/mesh/state.ts';
import { bearerOf } from '../mesh/way-in.ts';
import { ask } from './programs.ts';

const skip = process.platform !== 'linux' && 'only Linux has all of 127.0.0.0/8';

/** `npm start -- --traffic`, when requests pass. */
interface Mesh {
  readonly child: ChildProcess;
  readonly dir: string;
  readonly port: number;
  /** The body of one request that passes the FRP server; empty if it fails. */
  request(): Promise<string>;
  api<Of>(path: string, method?: string): Promise<Of>;
}

async function startMesh(context: Pick<TestContext, 'after'>): Promise<Mesh> {
  const { child, dir: home, ended } = knudge(context, 'dev', '--traffic', '--port', '0', '--quiet');
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  void ended.then((end) => {
    said += end.said;
  });
  await until(
    'it says what to try',
    () => said.includes('curl http://web.localhost:'),
    () => said,
  );
  const port = Number(/curl http:\/\/web\.localhost:(\d+)\//.exec(said)?.[1]);
  const request = async (): Promise<string> => {
    const { status, body } = await ask({ port }, '/', { host: `web.localhost:${String(port)}` });
    return status === 200 ? body.trim() : '';
  };
  const dir = join(home, '.knudge');
  const { apiServer, kubeconfig } = readState(dir);
  await until(
    'requests pass',
    async () => (await request()) !== '',
    () => said,
  );
  return {
    child,
    dir,
    port,
    request,
    api: async <Of>(path: string, method = 'GET') => {
      const answer = await fetch(`${apiServer}${path}`, { method, headers: bearerOf(kubeconfig) });
      return (await answer.json()) as Of;
    },
  };
}

async function until(what: string, holds: () => unknown, say = (): string => ''): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within 60 s: ${what}\n${say()}`);
    await sleep(50);
  }
}

/** Processes whose working directory is in a folder: those of Pods. */
function processesIn(folder: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;
}

/** Who answers that many requests. */
async function answersOf(mesh: Mesh, count: number): Promise<readonly string[]> {
  const answers: string[] = [];
  for (let each = 0; each < count; each += 1) answers.push(await mesh.request());
  return answers;
}

const pods = '/api/v1/namespaces/default/pods';
const service = '/apis/frp.io/v1beta1/namespaces/default/distributedservices/web';

interface Status {
  readonly status: { readonly state: string; readonly conditions: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const backendsOf = async (mesh: Mesh): Promise<readonly string[]> => {
  const { items } = await mesh.api<{ items: readonly KubeObject[] }>(`${pods}?labelSelector=app%3Dbackend`);
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.name);
};

describe('a mesh with real traffic', { skip }, () => {
  const stops: (() => void)[] = [];
  let mesh: Mesh;
  before(async () => {
    mesh = await startMesh({ after: (stop) => void stops.push(stop as () => void) });
  });
  after(() => {
    for (const stop of stops) stop();
  });

  it('answers from three backends in turn', async () => {
    const backends = await backendsOf(mesh);
    assert.equal(backends.length, 3);
    await until('all three take part', async () => new Set(await answersOf(mesh, 3)).size === 3);
    const answers = await answersOf(mesh, 9);
    assert.deepEqual(answers.slice(0, 3).toSorted(), backends.map((name) => `hello from ${name}`).toSorted());
    assert.deepEqual(answers, [...answers.slice(0, 3), ...answers.slice(0, 3), ...answers.slice(0, 3)]);
  });

  it('reports what the programs say, and no simulation', async () => {
    await until('it is Running', async () => (await mesh.api<Status>(service)).status.state === 'Running');
    const { conditions } = (await mesh.api<Status>(service)).status;
    const reasons = Object.fromEntries(conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]));
    const { EndpointsAccepted, Published, Ready } = reasons;
    assert.deepEqual(
      { EndpointsAccepted, Published, Ready },
      { EndpointsAccepted: 'True EndpointsLive', Published: 'True ProxyRunning', Ready: 'True Running' },
    );
    assert.ok(conditions.every(({ message }) => !message.includes('simulated')));
  });

  it('loses no request when a backend is deleted; its successor answers', async () => {
    const before = await backendsOf(mesh);
    const [gone = ''] = before;
    const answers: string[] = [];
    const asking = { now: true };
    const client = (async () => {
      while (asking.now) answers.push(await mesh.request());
    })();
    await mesh.api(`${pods}/${gone}`, 'DELETE');
    await until('its process has ended', () => processesIn(join(mesh.dir, 'pods', `default_${gone}_`)) === 0);
    await until('its successor answers', () => {
      const fresh = answers.filter((answer) => !before.some((name) => answer.endsWith(name)));
      return fresh.some((answer) => answer !== '');
    });
    asking.now = false;
    await client;
    assert.deepEqual(
      answers.filter((answer) => answer === ''),
      [],
    );
    const names = await answersOf(mesh, 6);
    assert.equal(names.includes(`hello from ${gone}`), false);
    assert.equal(new Set(names).size, 3);
  });

  it('still refuses the loopback for everybody', async () => {
    const { metadata, ...rest } = await mesh.api<KubeObject & { spec: object }>(service);
    const endpoints = [{ host: '127.0.0.1', port: 8080 }];
    const spec = { ...rest.spec, backends: { discovery: 'manual', endpoints }, expose: { domains: ['own.localhost'] } };
    const { apiServer, kubeconfig } = readState(mesh.dir);
    const answer = await fetch(`${apiServer}${service.replace('/web', '')}`, {
      method: 'POST',
      headers: { ...bearerOf(kubeconfig), 'content-type': 'application/json' },
      body: JSON.stringify({
        ...rest,
        metadata: { namespace: metadata.namespace, name: 'own' },
        spec,
        status: undefined,
      }),
    });
    const said = await answer.text();
    assert.deepEqual([answer.status, said.includes('loopback')], [422, true], said);
  });

  it('ends with Ctrl-C, and leaves no process behind', async () => {
    assert.ok(processesIn(mesh.dir) >= 6);
    mesh.child.kill('SIGINT');
    const [code] = (await once(mesh.child, 'exit')) as [number];
    assert.equal(code, 0);
    assert.equal(processesIn(mesh.dir), 0);
  });
});

it('a mesh that is killed leaves no process behind', { skip }, async (context) => {
  const { child, dir } = await startMesh(context);
  assert.ok(processesIn(dir) >= 6);
  child.kill('SIGKILL');
  await until('all are gone', () => processesIn(dir) === 0);
});
