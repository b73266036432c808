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
import { alone, untilProcessed, untilTold } from './woken.ts';

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

/** Whose Pods do not come, what their kinds wait for, and what goes on meanwhile. */
const held = [
  {
    what: 'one that crashes at its start',
    service: 'message-changed',
    change: crashing,
    // Its own kind is held back; a service is reported.
    goesOn: (name: string) => untilTold(site, namespace, { name, seconds: 15 }),
  },
  {
    what: 'one that nobody can place',
    service: 'distributed-service',
    change: unscheduled,
    // Eight kinds are held back, that of a Message's Pod among them; the Pod is made.
    goesOn: (name: string) =>
      until('the Message has its Pod', async () => {
        return (await site.get('v1', 'Pod', { namespace, name: `msg-${name}` })) !== undefined;
      }),
  },
] as const;

for (const { what, service, change, goesOn } of held) {
  test(`${what} holds back its own kinds alone, and is waited for`, async () => {
    const name = `held-by-${service}`;
    await untilAsleep(site, ['message-changed', 'distributed-service'], 140);
    const selector = {
      matchExpressions: [{ key: 'serving.knative.dev/service', operator: 'In', values: [service] }],
    };
    const mend = await meddle(site, 'start', { namespace: home, selector, change: async () => change });
    const began = Date.now();
    try {
      await site.put(message(name, 'in the end', { namespace }));
      await site.put(alone(name, namespace));
      await goesOn(name);
      await until('it has a Pod that does not come', async () => {
        const pods = await podsWith(site, home, ofFunction(service));
        const crashed = pods.some((pod) => (containerOf(pod)?.restartCount ?? 0) > 0);
        return (change === unscheduled ? pods.length > 0 : crashed) || pods.map((pod) => containerOf(pod));
      });
      // The first of four tries is over after 14 s: only a further one can be the one that is taken.
      await sleep(Math.max(0, began + 16_000 - Date.now()));
    } finally {
      await mend();
      await openGates(site, home);
      const selected = `serving.knative.dev/service=${service}`;
      if (change === crashing) await kubectl('--namespace', home, 'delete', 'pod', '--selector', selected, '--force');
    }
    // The tries end 58.8 s after the first began.
    await untilProcessed(site, namespace, { names: [name], seconds: 50 });
    await untilTold(site, namespace, { name, seconds: 50 });
    assert.deepEqual(await openLetters(namespace), []);
  });
}

test('SIGTERM amid a reconcile, to the Pod or to the process alone: it is done to its end, once', async () => {
  await site.put(message('held-first', 'wake up', { namespace }));
  // The kubelet reports a Pod later than it takes requests.
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
