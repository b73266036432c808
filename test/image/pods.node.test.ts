import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { serviceNames } from '../../functions/table.ts';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { version } from '../../src/version.ts';
import { processesOf } from '../../tools/control-plane/node/cgroups.ts';
import { inNode } from '../../tools/control-plane/node/enter.ts';
import { place } from '../../tools/control-plane/node/place.ts';
import { output } from '../../tools/debian/commands.ts';
import { repository } from '../../tools/image/config.ts';
import { readRecorded } from '../build/event.ts';
import { message } from '../build/objects.ts';
import { isReady, type ToldPod } from '../dataplane/node/objects.ts';
import { assertRestricted } from '../dataplane/pod/restricted.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { until } from '../kube/until.ts';
import { podOf } from './manifest-pod.ts';
import { recordedFor } from './recorded-for.ts';
import { type UnpackedImage, unpackedImage } from './unpacked.ts';

const pods = serviceNames.map((service) => podOf(service));

let arena: Arena;
let image: UnpackedImage;
/** Who stands where the Broker would. */
let sink: Server;

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
  sink = createServer((request, response) => void request.resume().once('end', () => response.writeHead(202).end()));
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
    const [pid = 0] = processesOf(container.containerID?.replace('containerd://', '') ?? '');
    assertRestricted(pid);
    const { body } = await arena.api('GET', `/api/v1/namespaces/knudge/pods/${service}/log`);
    assert.doesNotMatch(String(body), /code cache/);
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
