import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { ApiProblem } from '../../packages/kube-api/http/problem.ts';
import { envoyBootstrap } from '../../resources/distributed-service/envoy/envoy-config.ts';
import { frpcConfig } from '../../resources/distributed-service/frp/frpc-config.ts';
import { childName } from '../../resources/distributed-service/names.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import { installed } from '../../tools/dataplane/install.ts';
import { profiles } from './cells.ts';
import { type HostileFields, hostileFields, hostileHosts } from './hostile.ts';
import { finish, start, temporaryFolder, until } from './programs.ts';
import { type Cluster, fieldOf, startCluster } from './world/cluster.ts';
import { manual, service } from './world/objects.ts';

const tools = await installed();
const runs = 4000;

function written({ name, domain, subdomain, location, path }: HostileFields): KubeObject {
  const backends = manual([{ address: '10.0.0.1', port: 80 }]);
  const healthCheck = { type: 'http', path };
  return service({
    name,
    type: 'http',
    backends,
    healthCheck,
    expose: { domains: [domain], subdomain, locations: [location] },
  });
}

/** The object as the API server stores it, or why it does not. */
function stored({ client }: Cluster, object: KubeObject): DistributedService | ApiProblem {
  try {
    const made = client.create(object) as DistributedService;
    client.delete({ apiVersion: made.apiVersion, kind: made.kind, namespace: 'shop', name: made.metadata.name });
    return made;
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
}

describe('hostile values that a user writes', () => {
  it('are refused with a sentence, or mean to frpc and to Envoy what they say', async (context) => {
    const cluster = startCluster({ functions: false });
    context.after(() => cluster.close());
    const values = fc.sample(hostileFields, { numRuns: runs, seed: 11 });
    const accepted: { readonly fields: HostileFields; readonly object: DistributedService }[] = [];
    for (const fields of values) {
      const answer = stored(cluster, written(fields));
      if (answer instanceof ApiProblem) assert.match(answer.message, /^DistributedService\.frp\.io ".*" is invalid: /s);
      else accepted.push({ fields, object: answer });
    }
    context.diagnostic(`${String(accepted.length)} of ${String(runs)} are accepted`);
    assert.ok(accepted.length > runs / 20, 'enough comes through to say something');
    await meansToFrpc(accepted);
    await meansToEnvoy(context, accepted);
  });

  it('never become an address that Envoy talks to', async (context) => {
    const cluster = startCluster();
    context.after(() => cluster.close());
    const refused: string[] = [];
    for (const [index, host] of hostileHosts.entries()) {
      const name = `s${String(index)}`;
      const good = { address: '10.0.0.1', port: 80 };
      try {
        cluster.client.create(service({ name, type: 'tcp', backends: manual([good, { address: host, port: 80 }]) }));
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        refused.push(name);
      }
    }
    context.diagnostic(`${String(refused.length)} of ${String(hostileHosts.length)} are refused by the definition`);
    for (const [index, host] of hostileHosts.entries()) {
      const name = `s${String(index)}`;
      if (!refused.includes(name)) await assertLeftOut(cluster, name, host);
    }
  });
});

/** Nothing is made with the address, and a condition says so. */
async function assertLeftOut({ client }: Cluster, name: string, host: string): Promise<void> {
  const find = (kind: string, called: string, apiVersion = 'v1') =>
    client.get({ apiVersion, kind, namespace: 'shop', name: called });
  for (let tries = 0; tries < 500; tries += 1) {
    const conditions = fieldOf(find('DistributedService', name, 'frp.io/v1beta1'), 'status', 'conditions');
    if (conditions !== undefined) {
      const text = String(fieldOf(find('ConfigMap', childName(name, 'endpoints')), 'data', 'eds.json'));
      const addresses = [...text.matchAll(/"address": "(.*)"/g)].map(([, one]) => one);
      assert.ok(
        addresses.every((one) => one === '10.0.0.1'),
        `${host} is in ${text}`,
      );
      assert.ok(JSON.stringify(conditions).includes(JSON.stringify(host).slice(1, -1)), `no condition names ${host}`);
      return;
    }
    await sleep(10);
  }
  assert.fail(`${name} with ${host} has no status`);
}

type Accepted = readonly { readonly fields: HostileFields; readonly object: DistributedService }[];

/** frp's own loader reads them all in one process. */
async function meansToFrpc(accepted: Accepted): Promise<void> {
  const [profile] = profiles;
  assert.ok(profile);
  const lines = accepted.map(({ object: { metadata, spec } }) => {
    const { name, uid = '' } = metadata;
    return `${JSON.stringify(frpcConfig({ namespace: 'shop', name, uid, spec, profile }))}\n`;
  });
  const { code, output } = await finish(tools.understood, [], lines.join(''));
  assert.equal(code, 0, output);
  const all = output.trimEnd().split('\n');
  assert.equal(all.length, accepted.length);
  for (const [index, { fields }] of accepted.entries()) {
    const { error, proxies } = JSON.parse(all[index] ?? '') as { error?: string; proxies: readonly object[] };
    assert.equal(error, undefined, JSON.stringify(fields));
    const [proxy] = proxies as readonly Record<string, unknown>[];
    const { name, customDomains, subdomain, locations } = proxy ?? {};
    const meant = [`shop.${fields.name}`, [fields.domain], fields.subdomain, [fields.location]];
    assert.deepEqual([name, customDomains, subdomain, locations], meant);
  }
}

interface Bootstrap {
  readonly static_resources: { readonly clusters: readonly Record<string, unknown>[] };
}

/** One Envoy takes the cluster of each, without its backends, and shows what it has understood. */
async function meansToEnvoy(context: TestContext, accepted: Accepted): Promise<void> {
  const folder = temporaryFolder(context);
  const socket = join(folder, 'admin');
  const clusters = accepted.map(({ object: { metadata, spec } }, index) => {
    const text = envoyBootstrap({ namespace: 'shop', name: metadata.name, spec });
    const [cluster] = (JSON.parse(text) as Bootstrap).static_resources.clusters;
    const { eds_cluster_config: _, ...rest } = cluster ?? {};
    return { ...rest, name: `c${String(index)}`, type: 'STATIC' };
  });
  const admin = { address: { pipe: { path: socket } } };
  writeFileSync(join(folder, 'all.json'), JSON.stringify({ admin, static_resources: { clusters } }));
  const options = ['-c', join(folder, 'all.json'), '--concurrency', '1', '--disable-hot-restart', '-l', 'warning'];
  const envoy = start(context, tools.envoy, options);
  await until('Envoy has read them', async () => (await askPipe(socket, '/ready')).trim() === 'LIVE', [envoy]);
  const dump = JSON.parse(await askPipe(socket, '/config_dump?resource=static_clusters')) as {
    configs: readonly { readonly cluster: Read }[];
  };
  const read = new Map(
    dump.configs.map(({ cluster }) => [cluster.name, cluster.health_checks?.[0]?.http_health_check]),
  );
  for (const [index, { fields }] of accepted.entries()) {
    const { path, host } = read.get(`c${String(index)}`) ?? {};
    assert.deepEqual([path, host], [fields.path, `${fields.name}.shop`]);
  }
}

interface Read {
  readonly name: string;
  readonly health_checks?: readonly { readonly http_health_check?: { readonly path: string; readonly host: string } }[];
}

function askPipe(socketPath: string, path: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = request({ socketPath, path }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    sent.on('error', () => resolve(''));
    sent.end();
  });
}
