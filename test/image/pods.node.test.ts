import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { serviceNames } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { version } from '../../packages/start/version.ts';
import { processesOf } from '../../tools/control-plane/node/cgroups.ts';
import { inNode } from '../../tools/control-plane/node/enter.ts';
import { place } from '../../tools/control-plane/node/place.ts';
import { output } from '../../tools/debian/commands.ts';
import { repository } from '../../tools/image/config.ts';
import { readRecorded, recorded } from '../build/event.ts';
import { distributedService, message, serverProfile } from '../build/objects.ts';
import { isReady, type ToldPod } from '../dataplane/node/objects.ts';
import { assertRestricted } from '../dataplane/pod/restricted.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { postEvent } from '../kube/post.ts';
import { until } from '../kube/until.ts';
import { listening } from './listening.ts';
import { podOf } from './manifest-pod.ts';
import { recordedFor } from './recorded-for.ts';
import { type UnpackedImage, unpackedImage } from './unpacked.ts';

const pods = serviceNames.map((service) => podOf(service));

let arena: Arena;
let image: UnpackedImage;
/** Who stands where the Broker would, and the names of those whom the events were about that it got. */
let sink: Server;
const announced: unknown[] = [];

before(async () => {
  const node = process.env['KNUDGE_TEST_NODE'];
  assert.ok(node, 'these tests need a real node: npm run test:node');
  const ctr = (...args: readonly string[]): string => {
    const [command, ...rest] = inNode(node, ['ctr', '--namespace=k8s.io', 'images', ...args]);
    return output(command, ...rest);
  };
  image = await unpackedImage();
  ctr('import', image.archive);
  for (const name of new Set(pods.map((pod) => pod.spec.containers[0].image))) {
    ctr('tag', '--force', `docker.io/${repository}:${version}`, `docker.io/${name}`);
  }
  arena = await openArena({ stems: [], withSource: false });
  sink = createServer((request, response) => {
    announced.push(request.headers['ce-name']);
    request.resume().once('end', () => response.writeHead(202).end());
  });
  sink.listen(0, place.host);
  await once(sink, 'listening');
  const { port } = sink.address() as AddressInfo;
  await arena.put(restrictedNamespace);
  for (const pod of pods) await arena.put(podOf(pod.metadata.name, `http://${place.host}:${String(port)}/`));
});

after(async () => {
  for (const pod of pods) await arena.remove(pod);
  await arena.close();
  sink.close();
  image.remove();
});

/** The strictest of Kubernetes' own rules, which the API server then holds the Pods to. */
const restrictedNamespace: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'knudge', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
};

async function told(name: string): Promise<ToldPod> {
  const pod = (await arena.get('v1', 'Pod', { namespace: 'knudge', name })) as ToldPod | undefined;
  return pod ?? assert.fail(`there is no Pod ${name}`);
}

/** The function's own process, which has the network of its Pod. */
async function processOf(service: string): Promise<number> {
  const [container] = (await told(service)).status?.containerStatuses ?? [];
  const [pid] = processesOf(container?.containerID?.replace('containerd://', '') ?? '');
  return pid ?? assert.fail(`${service} has no process`);
}

async function post(service: string): Promise<readonly Response[]> {
  const { status } = await told(service);
  return Promise.all(
    recordedFor(service).map(({ path, headers, body }) => {
      const sent = { method: 'POST', headers, body: new Uint8Array(body), signal: AbortSignal.timeout(30_000) };
      return fetch(`http://${status?.podIP ?? ''}:8080${path}`, sent);
    }),
  );
}

for (const service of serviceNames) {
  test(`the Pod of ${service} runs as its manifest says, restricted, and answers what was recorded`, async () => {
    await until(`${service} is ready`, async () => isReady(await told(service)) || (await told(service)).status, 120);
    const answers = await post(service);
    assert.deepEqual(
      answers.map(({ status }) => status),
      recordedFor(service).map(({ status }) => status),
    );
    const [container] = (await told(service)).status?.containerStatuses ?? [];
    assert.equal(container?.restartCount, 0);
    assertRestricted(await processOf(service));
    const { body } = await arena.api('GET', `/api/v1/namespaces/knudge/pods/${service}/log`);
    assert.doesNotMatch(String(body), /code cache/);
  });

  test(`the Pod of ${service} listens at its one port and at no other, for health and metrics too`, async () => {
    assert.deepEqual(listening(await processOf(service)), ['tcp 8080']);
    const { podIP = '' } = (await told(service)).status ?? {};
    for (const path of ['/health/readiness', '/metrics'])
      assert.equal((await fetch(`http://${podIP}:8080${path}`)).status, 200, path);
  });
}

test('a recorded event makes, through the image and the real API server, a Pod', async () => {
  const { headers } = readRecorded('message-changed/message-add');
  const at = { namespace: headers['ce-namespace'] ?? '', name: headers['ce-name'] ?? '' };
  await arena.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: at.namespace } });
  await arena.put(message(at.name, 'from an image', at));
  const [answer] = await post('message-changed');
  assert.deepEqual([answer?.status, answer?.headers.get('knudge-outcome')], [204, 'done; reads=2; writes=2']);
  const pod = await arena.get('v1', 'Pod', { ...at, name: `msg-${at.name}` });
  assert.match(JSON.stringify(pod), /from an image/);
});

test('a function that stands still is started anew by its kubelet, as its liveness probe says', async () => {
  const name = 'distributed-service';
  const containerOf = async () =>
    (await told(name)).status?.containerStatuses?.[0] ?? assert.fail(`${name} has no container`);
  const [pid = 0] = processesOf((await containerOf()).containerID?.replace('containerd://', '') ?? '');
  process.kill(pid, 'SIGSTOP');
  await until('it was started anew', async () => (await containerOf()).restartCount === 1 || (await containerOf()), 90);
  await until('it is ready', async () => isReady(await told(name)), 30);
  assert.ok((await post(name)).every(({ status }) => status === 204));
});

test('a service gets its children through the image, its certificates among them, and a tick announces every parent', async () => {
  const namespace = await arena.namespace('image');
  const profile = serverProfile();
  await arena.put({ ...profile, metadata: { ...profile.metadata, namespace } });
  const service = await arena.put(
    distributedService('web', { security: { mtls: { enabled: true, autoGenerate: true } } }, { namespace }),
  );
  const { podIP = '' } = (await told('distributed-service')).status ?? {};
  await until('its children are there', async () => {
    const { status, outcome, body } = await postEvent(`http://${podIP}:8080`, service, {
      query: 'distributed-service-changed',
    });
    assert.equal(status, 204, body);
    const children = await Promise.all(
      ['apps/v1 Deployment', 'v1 Secret'].map((kind) => {
        const [apiVersion = '', name = ''] = kind.split(' ');
        return arena.list(apiVersion, name, namespace);
      }),
    );
    return children.every((found) => found.length > 0) || { outcome };
  });
  const { headers, body } = recorded('resync-due/pingsource-through-broker');
  const { podIP: resync = '' } = (await told('resync-due')).status ?? {};
  const answer = await fetch(`http://${resync}:8080/`, { method: 'POST', headers, body: new Uint8Array(body) });
  assert.equal(answer.status, 204);
  for (const name of ['web', 'hello']) assert.ok(announced.includes(name), JSON.stringify(announced));
});
