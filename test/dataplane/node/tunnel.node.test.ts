import assert from 'node:assert/strict';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { podLayout } from '../../../resources/distributed-service/envoy/data-plane.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import { processesOf } from '../../../tools/control-plane/node/cgroups.ts';
import { place } from '../../../tools/control-plane/node/place.ts';
import { listening } from '../../image/listening.ts';
import type { Arena } from '../../kube/arena.ts';
import { until } from '../../kube/until.ts';
import { fileSeenBy } from '../pod/container.ts';
import { assertRestricted, assertVolumes, statusOf } from '../pod/restricted.ts';
import { askHttp } from '../world/clients.ts';
import { ports } from '../world/frp-server.ts';
import { hostOf, service } from '../world/objects.ts';
import { backend, healthy, isReady, type ToldPod, workload } from './objects.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

const healthCheck = { type: 'http', path: healthy.path, interval: '1s', timeout: '500ms' };

let workplace: Workplace;
let arena: Arena;

before(async () => {
  workplace = await openWorkplace();
  ({ arena } = workplace);
  const backends = { discovery: 'auto', port: 8080, replicas: 1 };
  await arena.put(service({ type: 'http', backends, healthCheck, mtls: { enabled: true, autoGenerate: true } }));
});

after(() => workplace.close());

async function podsOf(label: string, value = 'web'): Promise<readonly ToldPod[]> {
  const pods = (await arena.list('v1', 'Pod', 'shop')) as readonly ToldPod[];
  return pods.filter(({ metadata }) => metadata.labels?.[label] === value);
}

async function tunnel(): Promise<ToldPod> {
  const [pod] = await podsOf(labels.tunnel);
  return pod ?? assert.fail('there is no Pod of the tunnel');
}

/** The first process of each container, by name. */
function processesIn({ status }: ToldPod): ReadonlyMap<string, number> {
  const containers = status?.containerStatuses ?? [];
  return new Map(
    containers.map(({ name, containerID = '' }) => {
      const [pid] = processesOf(containerID.replace('containerd://', ''));
      return [name, pid ?? assert.fail(`${name} has no process`)];
    }),
  );
}

/** Who answers this many requests to a service through frps. */
async function whoAnswers(count: number, of = 'web'): Promise<readonly string[]> {
  const target = { host: place.host, port: ports.http, name: hostOf(of) };
  const answers = [];
  for (let asked = 0; asked < count; asked += 1) answers.push(await askHttp(target));
  return [...new Set(answers.map((answer) => ('by' in answer ? answer.by : answer.failed)))].sort();
}

async function untilAnsweredBy(names: readonly string[]): Promise<void> {
  await until(`${names.join(' and ')} answer`, async () => {
    const answered = await whoAnswers(6);
    return answered.join() === names.join() || answered;
  });
}

test('the Pod of a tunnel becomes Ready under a real kubelet, whose probes its two containers pass', async () => {
  await until('the Pod of the tunnel is Ready', async () => {
    const pod = await tunnel();
    return isReady(pod) || pod.status;
  });
  const { spec, status } = await tunnel();
  assert.equal(spec.nodeName, place.nodeName);
  const containers = status?.containerStatuses ?? [];
  assert.deepEqual(containers.map(({ name, ready }) => [name, ready]).sort(), [
    ['envoy', true],
    ['frpc', true],
  ]);
  await arena.running('shop', 'web');
});

test('its containers run as nobody, cannot write, gain nothing, and see their own files alone', async () => {
  for (const [name, pid] of processesIn(await tunnel())) {
    assert.equal(statusOf(pid).get('Name'), name);
    assert.equal(statusOf(pid).get('Seccomp'), '2');
    assertRestricted(pid);
    assertVolumes(pid, name === 'frpc' ? ['config', 'identity', 'tls'] : ['config', 'endpoints']);
    if (name === 'envoy') continue;
    const key = statSync(fileSeenBy(pid, '/etc/knudge/tls/tls.key'));
    assert.deepEqual([key.uid, key.gid, key.mode & 0o777], [0, 65532, 0o440]);
  }
});

test('it listens where its Service leads and where it is probed, and nowhere else', async () => {
  const [pid = 0] = processesIn(await tunnel()).values();
  assert.deepEqual(listening(pid), [
    `tcp ${podLayout.ingressPort}`,
    `tcp ${podLayout.probePort}`,
    `tcp ${podLayout.adminPort} on loopback`,
  ]);
});

test('a request passes frps, frpc and Envoy to a backend that is a Pod', () => untilAnsweredBy(['web-1']));

test('a backend that is added gets requests within seconds, and one that is deleted none', async (context) => {
  const began = performance.now();
  await arena.put(backend('web-2'));
  await untilAnsweredBy(['web-1', 'web-2']);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  context.diagnostic(`counted: a backend that is added answers on a real node after ${seconds} s`);
  await arena.remove(backend('web-1'));
  await untilAnsweredBy(['web-2']);
});

test('that no backend is healthy the kubelet tells of the Pod, and the status of the service; and that one is again', async () => {
  const [pod] = await podsOf(labels.service);
  const { main } = Object.fromEntries(processesIn(pod ?? assert.fail('there is no backend')));
  const file = fileSeenBy(main, healthy.file);
  rmSync(file);
  const readiness = async () =>
    Object.fromEntries((await tunnel()).status?.containerStatuses?.map(({ name, ready }) => [name, ready]) ?? []);
  const told = async () => {
    const { status } = (await arena.service('shop', 'web')) ?? {};
    return status?.conditions?.find(({ type }) => type === 'BackendsAvailable')?.reason;
  };
  await until('it is told', async () => (await told()) === 'AllBackendsUnhealthy' || told());
  assert.deepEqual(await readiness(), { envoy: false, frpc: true });
  writeFileSync(file, '');
  await arena.running('shop', 'web');
  assert.deepEqual(await readiness(), { envoy: true, frpc: true });
});

test('an autoscaler scales the workload behind a service, and each of its Pods answers', async () => {
  await arena.put(workload('scaled'));
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'scaled' };
  const backends = { discovery: 'auto', port: 8080, replicas: 1, workloadRef };
  await arena.put(service({ name: 'scaled', type: 'http', backends }));
  const path = '/apis/frp.io/v1beta1/namespaces/shop/distributedservices/scaled/scale';
  for (const replicas of [1, 3, 1]) {
    await until(`${String(replicas)} is written`, async () => {
      const { body } = await arena.api('GET', path);
      const scale = body as { readonly spec: object };
      const { status } = await arena.api('PUT', path, { body: { ...scale, spec: { ...scale.spec, replicas } } });
      return status === 200 || status;
    });
    await until(`${String(replicas)} answer`, async () => {
      const pods = (await podsOf('app', 'scaled')).map(({ metadata }) => metadata.name).sort();
      const answered = await whoAnswers(9, 'scaled');
      return (pods.length === replicas && answered.join() === pods.join()) || { pods, answered };
    });
  }
  assert.equal((await arena.service('shop', 'scaled'))?.status?.selector, 'app=scaled');
});

test('nothing was started anew, and no event was given up', async () => {
  const { status } = await tunnel();
  assert.deepEqual(
    status?.containerStatuses?.map(({ restartCount }) => restartCount),
    [0, 0],
  );
  assert.deepEqual(arena.source?.failures, []);
});

test('a program that is killed is started anew by the kubelet, and requests pass again', async () => {
  const before = processesIn(await tunnel());
  for (const name of ['frpc', 'envoy']) process.kill(before.get(name) ?? assert.fail(), 'SIGKILL');
  await until('both containers run again', async () => {
    const { status } = await tunnel();
    return status?.containerStatuses?.every(({ ready, restartCount }) => ready && restartCount === 1) || status;
  });
  await untilAnsweredBy(['web-2']);
  await arena.running('shop', 'web');
});
