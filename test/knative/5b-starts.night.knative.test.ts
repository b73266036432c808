import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { message } from '../build/objects.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { sleepSoon, untilAsleep } from './asleep.ts';
import { openLetters } from './complaints.ts';
import { crashing, meddle, openGates, unscheduled } from './meddle.ts';
import { openPlaces, places } from './places.ts';
import { containerOf, isReady, ofFunction, podsWith, terminate } from './processes.ts';
import { home, site as openSite } from './site.ts';
import { alone, profile, untilProcessed, untilTold } from './woken.ts';

const site = openSite();
const namespace = places.scenes;
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

test('one that crashes at its start and one that nobody can place hold back their own kinds alone, and are waited for', async () => {
  const stems = { crashes: 'message-changed', waits: 'config-map-changed' };
  await untilAsleep(site, Object.values(stems), 140);
  const mend = await meddle(site, 'start', {
    namespace: home,
    selector: {
      matchExpressions: [{ key: 'serving.knative.dev/service', operator: 'In', values: Object.values(stems) }],
    },
    change: async ({ metadata }) =>
      metadata.labels?.['serving.knative.dev/service'] === stems.crashes ? crashing : unscheduled,
  });
  const began = Date.now();
  try {
    await site.put(message('unstarted', 'in the end', { namespace }));
    await site.put(profile('unstarted', namespace));
    await site.put(alone('started', namespace));
    await untilTold(site, namespace, { name: 'started', seconds: 15 });
    await until('it has crashed', async () => {
      const pods = await podsWith(site, home, ofFunction(stems.crashes));
      return pods.some((pod) => (containerOf(pod)?.restartCount ?? 0) > 0) || pods.map((pod) => containerOf(pod));
    });
    // The first of four tries is over after 14 s: only a further one can be the one that is taken.
    await sleep(Math.max(0, began + 16_000 - Date.now()));
  } finally {
    await mend();
    await openGates(site, home);
    const crashed = `serving.knative.dev/service=${stems.crashes}`;
    await kubectl('--namespace', home, 'delete', 'pod', '--selector', crashed, '--force');
  }
  // The tries end 58.8 s after the first began.
  await untilProcessed(site, namespace, { names: ['unstarted'], seconds: 50 });
  assert.deepEqual(await openLetters(namespace), []);
});

test('SIGTERM amid a reconcile, to the Pod or to the process alone: it is done to its end, once', async () => {
  await site.put(message('held-first', 'wake up', { namespace }));
  // The kubelet tells of a Pod later than it takes requests.
  await until('message-changed is awake', async () => (await oneAwake()) !== undefined);
  const asked = new Map<string, number>();
  let reached: (name: string) => void = () => undefined;
  const release = await meddle(site, 'held', {
    namespace,
    selector: { matchExpressions: [{ key: 'knudge.dev/owner-uid', operator: 'Exists' }] },
    change: async ({ metadata: { name } }) => {
      asked.set(name, (asked.get(name) ?? 0) + 1);
      reached(name);
      // A call to the API server may take five seconds.
      await new Promise((resume) => setTimeout(resume, 3000));
      return [];
    },
  });
  try {
    for (const [name, end] of [
      ['held-by-process', async () => terminate(containerOf((await oneAwake()) ?? assert.fail('nobody is awake')))],
      [
        'held-by-pod',
        () =>
          kubectl(
            '--namespace',
            home,
            'delete',
            'pod',
            '--selector',
            'serving.knative.dev/service=message-changed',
            '--wait=false',
          ),
      ],
    ] as const) {
      const isHeld = new Promise<string>((resolve) => (reached = resolve));
      await site.put(message(name, 'to the end', { namespace }));
      assert.equal(await isHeld, `msg-${name}`);
      const [pod] = await podsWith(site, home, ofFunction('message-changed'));
      await end();
      await untilProcessed(site, namespace, { names: [name] });
      assert.equal(asked.get(`msg-${name}`), 1, 'the Pod was made more than once');
      if (name === 'held-by-process') await untilEndedWell(pod?.metadata.name ?? '');
    }
  } finally {
    await release();
  }
  assert.deepEqual(await openLetters(namespace), []);
});

async function oneAwake() {
  return (await podsWith(site, home, ofFunction('message-changed'))).find(isReady);
}

async function untilEndedWell(name: string): Promise<void> {
  await until('the process that was told to end has ended well', async () => {
    const pod = (await podsWith(site, home, ofFunction('message-changed'))).find(
      ({ metadata }) => metadata.name === name,
    );
    const status = pod && containerOf(pod);
    return status?.lastState?.terminated?.exitCode === 0 || status;
  });
}
