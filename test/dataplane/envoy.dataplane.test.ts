import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Backend, Layout } from '../../resources/distributed-service/envoy/data-plane.ts';
import { fileNames, podLayout } from '../../resources/distributed-service/envoy/data-plane.ts';
import { endpointsFile } from '../../resources/distributed-service/envoy/endpoints.ts';
import type { EnvoyInput } from '../../resources/distributed-service/envoy/envoy-config.ts';
import { envoyArguments, envoyBootstrap } from '../../resources/distributed-service/envoy/envoy-config.ts';
import { installed } from '../../tools/dataplane/install.ts';
import { ask, freePort, type Running, start, temporaryFolder, until } from './programs.ts';

const { envoy } = await installed();
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

interface Sidecar {
  readonly layout: Layout;
  readonly running: Running;
  /** Swaps the endpoints as the kubelet does, and waits until Envoy has them. */
  readonly swap: (backends: readonly Backend[]) => Promise<void>;
}

/** Envoy as the product runs it, with ports, folders and a socket of its own. */
async function startEnvoy(
  context: TestContext,
  spec: EnvoyInput['spec'],
  backends: readonly Backend[],
): Promise<Sidecar> {
  const folder = temporaryFolder(context);
  const endpointsPath = join(folder, 'endpoints');
  const layout = {
    ...podLayout,
    ingressPort: await freePort(),
    probePort: await freePort(),
    configPath: folder,
    endpointsPath,
    adminSocket: `knudge-test-${hash(folder)}`,
  };
  mkdirSync(endpointsPath);
  symlinkSync('..data/eds.json', join(endpointsPath, fileNames.endpoints));
  let version = 0;
  const write = (list: readonly Backend[]): string => {
    version += 1;
    const text = endpointsFile(list, hash);
    mkdirSync(join(endpointsPath, `..${String(version)}`));
    writeFileSync(join(endpointsPath, `..${String(version)}`, fileNames.endpoints), text);
    symlinkSync(`..${String(version)}`, join(endpointsPath, '..data_tmp'));
    renameSync(join(endpointsPath, '..data_tmp'), join(endpointsPath, '..data'));
    return (JSON.parse(text) as { version_info: string }).version_info;
  };
  const swap = async (list: readonly Backend[]): Promise<void> => {
    const wanted = write(list);
    const filter = '/stats?filter=^cluster\\.upstream\\.version_text$';
    const isLive = async (): Promise<boolean> =>
      (await ask({ socket: layout.adminSocket }, filter)).body.includes(wanted);
    await until(`Envoy has the endpoints ${wanted}`, isLive, [running]);
  };
  write(backends);
  writeFileSync(join(folder, fileNames.envoy), envoyBootstrap({ namespace: 'shop', name: 'web', spec, layout }));
  const args = envoyArguments.map((argument) => argument.replace(podLayout.configPath, folder));
  const running = start(context, envoy, args);
  await until('Envoy is ready', async () => (await ask({ port: layout.probePort }, '/ready')).status === 200, [
    running,
  ]);
  return { layout, running, swap };
}

/** A backend that answers 200 with its name, and 503 to health checks once it is sick. */
async function startBackend(context: TestContext, name: string): Promise<Backend & { readonly fallSick: () => void }> {
  let isSick = false;
  const server = createServer((asked, answer) => {
    const isCheck = asked.url === '/healthz';
    answer.writeHead(isCheck && isSick ? 503 : 200).end(isCheck ? (asked.headers.host ?? '') : name);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const fallSick = (): void => {
    isSick = true;
  };
  return { address: '127.0.0.1', port: (server.address() as AddressInfo).port, weight: 1, ready: true, fallSick };
}

const healthCheck = {
  type: 'http',
  path: '/healthz',
  interval: '100ms',
  timeout: '90ms',
  failureThreshold: 2,
  successThreshold: 1,
} as const;

describe('Envoy with our configuration', () => {
  for (const serviceType of ['http', 'tcp', 'udp'] as const) {
    it(`opens for the kubelet and closes to everyone else: ${serviceType}`, async (context) => {
      const { layout } = await startEnvoy(context, { serviceType, loadBalancing: { algorithm: 'random' } }, []);
      const probe = { port: layout.probePort };
      assert.equal((await ask(probe, '/ready')).body, 'LIVE\n');
      for (const path of [
        '/',
        '/ready/',
        '/readyz',
        '/stats',
        '/quitquitquit',
        '/config_dump',
        '//ready',
        '/ready/../stats',
        '/ready%2f..%2fstats',
        '/endpoints?filter=.*',
        '/endpoints?usedonly',
        '/endpoints/',
        '/endpoints/../stats',
        '/endpoints;a',
        '//endpoints',
      ]) {
        assert.equal((await ask(probe, path)).status, 403, path);
      }
      for (const path of ['/ready', '/endpoints', '/backends']) {
        assert.equal((await ask(probe, path, { method: 'POST' })).status, 403, path);
      }
      const { body } = await ask(probe, '/endpoints');
      const names = ['version_text', 'membership_healthy', 'membership_total', 'update_failure', 'update_rejected'];
      const said = names.map((name) => `cluster.upstream.${name}`);
      assert.deepEqual(body.match(/^[^:]+(?=:)/gm), said);
      const admin = { socket: layout.adminSocket };
      assert.equal((await ask(admin, '/ready')).status, 200);
      for (const path of [
        '/quitquitquit',
        '/logging',
        '/config_dump',
        '/certs',
        '/memory',
        '/runtime_modify?a=b',
        '/drain_listeners',
      ]) {
        assert.equal((await ask(admin, path, { method: 'POST' })).status, 403, path);
      }
    });
  }

  it('follows the endpoints file without a restart, down to none', async (context) => {
    const [a, b] = [await startBackend(context, 'a'), await startBackend(context, 'b')];
    const { layout, swap } = await startEnvoy(
      context,
      { serviceType: 'http', loadBalancing: { algorithm: 'round-robin' } },
      [a],
    );
    const answer = async (): Promise<string> => (await ask({ port: layout.ingressPort }, '/')).body;
    assert.equal(await answer(), 'a');
    await swap([a, b]);
    const turns = [await answer(), await answer(), await answer(), await answer()];
    assert.ok(turns.join('') === 'abab' || turns.join('') === 'baba', turns.join(''));
    await swap([b]);
    assert.deepEqual([await answer(), await answer()], ['b', 'b']);
    await swap([]);
    assert.equal((await ask({ port: layout.ingressPort }, '/')).status, 503);
  });

  it('sends nothing to a removed backend, although it still answers its health checks', async (context) => {
    const [a, b] = [await startBackend(context, 'a'), await startBackend(context, 'b')];
    const loadBalancing = { algorithm: 'round-robin', healthCheck } as const;
    const { layout, running, swap } = await startEnvoy(context, { serviceType: 'http', loadBalancing }, [a, b]);
    const answer = async (): Promise<string> => (await ask({ port: layout.ingressPort }, '/')).body;
    for (const name of ['a', 'b']) await until(`${name} answers`, async () => (await answer()) === name, [running]);
    await swap([a]);
    assert.deepEqual([await answer(), await answer(), await answer(), await answer()], ['a', 'a', 'a', 'a']);
  });

  for (const algorithm of ['round-robin', 'random', 'least-conn'] as const) {
    it(`gives a sick backend no traffic, and nobody any where all are sick: ${algorithm}`, async (context) => {
      const [a, b] = [await startBackend(context, 'a'), await startBackend(context, 'b')];
      const loadBalancing = { algorithm, healthCheck };
      const { layout, running } = await startEnvoy(context, { serviceType: 'http', loadBalancing }, [a, b]);
      const answers = async (): Promise<string> => {
        const some = await Promise.all(Array.from({ length: 20 }, () => ask({ port: layout.ingressPort }, '/')));
        return [...new Set(some.map(({ status, body }) => (status === 200 ? body : String(status))))].sort().join(' ');
      };
      await until('both answer', async () => (await answers()) === 'a b', [running]);
      assert.equal((await ask({ port: layout.ingressPort }, '/healthz')).status, 200);
      a.fallSick();
      await until('only b answers', async () => (await answers()) === 'b', [running]);
      const backends = async (): Promise<number> => (await ask({ port: layout.probePort }, '/backends')).status;
      await until('one is enough', async () => (await backends()) === 200, [running]);
      b.fallSick();
      await until('nobody answers', async () => (await answers()) === '503', [running]);
      assert.equal(await backends(), 503);
      assert.equal((await ask({ port: layout.probePort }, '/ready')).status, 200, 'Envoy itself is well');
    });
  }
});
