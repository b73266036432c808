import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { message } from '../build/objects.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { sleepSoon, untilAsleep } from './asleep.ts';
import { runKnudge } from './command-line.ts';
import { findings, openLetters } from './complaints.ts';
import { giveUpSoon } from './deliveries.ts';
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

test('one that crashes at its start and one that nobody can place hold back their own kinds alone, and nothing is lost', async () => {
  await untilAsleep(site, ['message-changed', 'config-map-changed'], 140);
  const tryLonger = await giveUpSoon(site, ['message-changed', 'config-map-changed']);
  const stems = { crashes: 'message-changed', waits: 'config-map-changed' };
  const selector = {
    matchExpressions: [{ key: 'serving.knative.dev/service', operator: 'In', values: Object.values(stems) }],
  };
  const mend = await meddle(site, 'start', {
    namespace: home,
    selector,
    change: async ({ metadata }) =>
      metadata.labels?.['serving.knative.dev/service'] === stems.crashes ? crashing : unscheduled,
  });
  try {
    await site.put(message('unstarted', 'in the end', { namespace }));
    await site.put(profile('unstarted', namespace));
    await site.put(alone('started', namespace));
    await untilTold(site, namespace, { name: 'started', seconds: 15 });
    // Two tries of three seconds, and what it takes to wake nobody.
    await until('both are dead letters', async () => {
      const kinds = new Set((await openLetters(namespace)).map(({ kind }) => kind));
      return (kinds.has('Message') && kinds.has('ConfigMap')) || [...kinds];
    });
    const crashed = (await podsWith(site, home, ofFunction(stems.crashes))).map(
      (pod) => containerOf(pod)?.restartCount,
    );
    assert.ok(
      crashed.some((count = 0) => count > 0),
      'it has not crashed',
    );
    const said = await findings();
    assert.ok(
      said.some((line) => /^warning: \d+ dead letters? (is|are) open/.test(line)),
      said.join('\n'),
    );
  } finally {
    await mend();
    await openGates(site, home);
    await kubectl(
      '--namespace',
      home,
      'delete',
      'pod',
      '--selector',
      `serving.knative.dev/service=${stems.crashes}`,
      '--force',
    );
    await tryLonger();
  }
  await until(
    'what was left undone is done',
    async () => {
      const { code, out, said } = await runKnudge('dead-letters', 'retry', '--all', '--in-namespace', namespace);
      return code === 0 || said + out;
    },
    45,
  );
  await untilProcessed(site, namespace, { names: ['unstarted'] });
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
