import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serviceNames } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import { distributedService, message, object } from '../build/objects.ts';
import { kubectl } from '../kube/kubectl.ts';
import { postEvent } from '../kube/post.ts';
import { until } from '../kube/until.ts';
import { awake, sleepSoon, untilAsleep } from './asleep.ts';
import { runKnudge } from './command-line.ts';
import { openLetters } from './complaints.ts';
import { ask, gatewayOf } from './direct.ts';
import { openPlaces, places } from './places.ts';
import { isReady, podsWith } from './processes.ts';
import { home, site as openSite } from './site.ts';
import { alone, mark, profile, untilProcessed, untilTold } from './woken.ts';

const site = openSite();
const namespace = places.scenes;
/** The event log never sleeps. */
const sleepers = serviceNames.filter((name) => name !== 'event-log').sort();
const bySelector = {
  discovery: 'selector' as const,
  replicas: 1,
  port: 8080,
  selector: { matchLabels: { app: 'sleep-web' } },
};
let sleepLater: () => Promise<void> = async () => {};

before(async () => {
  await openPlaces(site);
  sleepLater = await sleepSoon(site);
});
after(async () => {
  await sleepLater();
  await kubectl('--namespace', namespace, 'delete', 'messages,dsvc', '--all', '--timeout=60s');
  await kubectl('--namespace', namespace, 'delete', 'configmap,secret', '--selector', 'knudge.dev/test=sleep');
});

test('every function sleeps, is awake when something happens for it, and sleeps again', async (context) => {
  // A source that has started anew before this keeps resync-due awake with its tries: eventing/triggers/source-restarted.yaml.
  await untilAsleep(site, undefined, 140);
  const gateway = await gatewayOf(site);
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1);
  const backend = object('Pod', 'sleep-backend', {
    metadata: { namespace, labels: { 'frp.io/service': 'sleep-web', app: 'sleep-web' } },
    spec: {
      containers: [{ name: 'main', image: 'docker.io/library/busybox:1.37.0', command: ['sleep', '600'] }],
      terminationGracePeriodSeconds: 0,
    },
  });
  const happenings = [
    site.put(profile('sleep', namespace)),
    site.put(object('Secret', 'sleep', { metadata: { namespace, labels: mark } })),
    site.put(message('sleep', 'woken', { namespace })),
    wakeByClaim(),
    site.put(backend),
    runKnudge('resync'),
    // It refuses a sender without a token, which is an answer too.
    ask(gateway, 'frp-gate', { path: '/nowhere/nothing', body: '{}', headers: { 'content-type': 'application/json' } }),
  ];
  const woken = new Set<string>();
  await Promise.all([
    ...happenings,
    until(
      'every function has been awake',
      async () => {
        for (const name of await awake(site)) woken.add(name);
        return sleepers.every((name) => woken.has(name)) || sleepers.filter((name) => !woken.has(name));
      },
      60,
    ),
  ]);
  context.diagnostic(`counted: ${String(sleepers.length)} functions from sleep, all of them after ${seconds()} s`);
  await untilProcessed(site, namespace, { names: ['sleep'] });
  await untilTold(site, namespace, { name: 'sleep-web', seconds: 30 });
  await kubectl('--namespace', namespace, 'delete', 'pod/sleep-backend', 'dsvc/sleep-web', '--timeout=60s');
  await untilAsleep(site);
});

/** By a selector, so that there is a slice that wakes somebody; what the service has at its server it then gives up for another. */
async function wakeByClaim(): Promise<void> {
  const backends = { serverProfile: 'sleep', backends: bySelector };
  const service = await site.put<DistributedService>(distributedService('sleep-web', backends, { namespace }));
  await untilTold(site, namespace, { name: 'sleep-web', seconds: 30 });
  const remotePort = (service.spec.expose?.remotePort ?? 0) + 1;
  await kubectl(
    ...['--namespace', namespace, 'patch', 'dsvc', 'sleep-web', '--type=merge'],
    `--patch=${JSON.stringify({ spec: { expose: { remotePort } } })}`,
  );
}

test('two instances that get every event each, beside the Broker: each object is right, once', async () => {
  const stems = ['message-changed', 'distributed-service'];
  const scale = (least: string) =>
    Promise.all(
      stems.map((stem) => {
        const annotations = { 'autoscaling.knative.dev/min-scale': least };
        const patch = JSON.stringify({ spec: { template: { metadata: { annotations } } } });
        return kubectl('--namespace', home, 'patch', 'ksvc', stem, '--type=merge', `--patch=${patch}`);
      }),
    );
  await scale('2');
  try {
    const pods = await twoOfEach(stems);
    const messages = ['1', '2', '3', '4'].map((number) => message(`twice-${number}`, 'once', { namespace }));
    const services = ['1', '2'].map((number) => alone(`twice-${number}`, namespace));
    const made = await Promise.all([...messages, ...services].map((one) => site.put<KubeObject>(one)));
    const post = () =>
      Promise.all(
        made.flatMap((one) => {
          const query = one.kind === 'Message' ? '' : 'distributed-service-changed';
          return (pods.get(one.kind) ?? []).map((ip) => postEvent(`http://${ip}:8080`, one, { query }));
        }),
      );
    // Who comes second may be told to come again, and does so with the next event.
    for (const { status } of await post()) assert.ok([204, 503].includes(status), String(status));
    await untilProcessed(site, namespace, { names: messages.map(({ metadata }) => metadata.name) });
    for (const { metadata } of services) await untilTold(site, namespace, { name: metadata.name, seconds: 15 });
    await until('nobody has anything left to do', async () => {
      const left = (await post()).filter(({ status, outcome }) => status !== 204 || !/writes=0/.test(outcome));
      return left.length === 0 || left;
    });
    assert.deepEqual(await openLetters(namespace), []);
  } finally {
    await scale('0');
    await kubectl(
      '--namespace',
      home,
      'wait',
      '--for=condition=Ready',
      '--timeout=60s',
      ...stems.map((stem) => `ksvc/${stem}`),
    );
  }
});

/** The addresses of the two instances for each kind. */
async function twoOfEach(stems: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  await until(
    'there are two instances of each',
    async () => {
      for (const [at, stem] of stems.entries()) {
        const { stdout } = await kubectl(
          '--namespace',
          home,
          'get',
          'ksvc',
          stem,
          '--output=jsonpath={.status.latestReadyRevisionName} {.status.latestCreatedRevisionName}',
        );
        const [ready = '', created] = stdout.split(' ');
        const pods = await podsWith(site, home, { 'serving.knative.dev/revision': ready });
        const addresses = pods.filter(isReady).flatMap(({ status }) => status?.podIP ?? []);
        if (ready === created) found.set(at === 0 ? 'Message' : 'DistributedService', addresses);
      }
      return ([...found.values()].length === 2 && [...found.values()].every((one) => one.length === 2)) || [...found];
    },
    60,
  );
  return found;
}
