import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { Message } from '../../resources/message/types.ts';
import { message } from '../build/objects.ts';
import { objectsIn, yamlIn } from '../kube/install.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { awake, sleepSoon, untilAsleep } from './asleep.ts';
import { deleteService } from './complaints.ts';
import { type FrpServer, installFrpServer } from './frp-server.ts';
import { openPlaces, places } from './places.ts';
import { site as openSite } from './site.ts';
import { reasonOf, serviceOf, tunnelOf } from './tunnel.ts';
import { childrenOfWeb, web, workload } from './web.ts';

const site = openSite();
const { scenes, tunnels } = places;
const examples = yamlIn('examples')
  .flatMap(objectsIn)
  .map((each) => inScenes(each));
/** What the conditions of an example sum up to, in a namespace that has nothing else. */
const reasons: Readonly<Record<string, string>> = {
  shop: 'NoBackendsFound',
  api: 'NoBackendsFound',
  billing: 'NoBackendsFound',
  payroll: 'SecretNotFound',
  // Its tunnel runs, and the server of the examples is nowhere.
  database: 'ServerUnreachable',
  resolver: 'NoBackendsFound',
  encoder: 'NoBackendsFound',
};

let wakeLonger: () => Promise<void>;
let server: FrpServer;
const service = serviceOf(site);
const { untilRunning, whoAnswers, untilAllAnswer, children, scaleTo, breakChildren } = tunnelOf(site, () => server);

before(async () => {
  wakeLonger = await sleepSoon(site);
  await openPlaces(site);
  server = await installFrpServer(site);
  await site.put(workload());
  await untilAsleep(site);
});
after(async () => {
  for (const namespace of [scenes, tunnels])
    await kubectl('--namespace', namespace, 'delete', 'distributedservices,messages', '--all', '--timeout=60s');
  await kubectl('--namespace', tunnels, 'delete', 'deployment', 'web', '--ignore-not-found');
  await kubectl('--namespace', scenes, 'delete', '--ignore-not-found', '-f', 'examples/server-profile.yaml');
  await server.remove();
  await wakeLonger();
});

function inScenes(each: KubeObject): KubeObject {
  return { ...each, metadata: { ...each.metadata, namespace: scenes } };
}

const isMessage = (each: KubeObject): each is Message => each.kind === 'Message';
const messages = (): Promise<readonly Message[]> =>
  site.list('myorg.dev/v1', 'Message', scenes) as Promise<readonly Message[]>;

async function untilProcessed(): Promise<void> {
  await until('each Message has its Pod, which runs', async () => {
    const left = (await messages()).filter(
      ({ metadata, status }) => status?.phase !== 'Processed' || status.observedGeneration !== metadata.generation,
    );
    return left.length === 0 || left;
  });
}

async function say(text: string): Promise<void> {
  await site.put(message('hello', text, { namespace: scenes }));
}

async function untilSaid(text: string): Promise<void> {
  await until(
    `the Pod prints ${text}`,
    async () => {
      const { stdout } = await kubectl('--namespace', scenes, 'logs', 'msg-hello', '--tail=5');
      return stdout.includes(text) || stdout;
    },
    60,
  );
}

test('every example is done with, though every function was asleep', async (context) => {
  assert.deepEqual(await awake(site), []);
  const began = performance.now();
  await kubectl('--namespace', scenes, 'apply', '-f', 'examples/');
  await site.put(web());
  const services = examples.filter(({ kind }) => kind === 'DistributedService');
  await until(
    'each example has its status',
    async () => {
      const found = await Promise.all(services.map(({ metadata }) => service(scenes, metadata.name)));
      const told = Object.fromEntries(services.map(({ metadata }, at) => [metadata.name, reasonOf(found[at])]));
      assert.deepEqual(told, reasons);
      return true;
    },
    60,
  );
  await untilProcessed();
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  context.diagnostic(`counted: all examples, from sleep: ${seconds} s`);
  for (const { metadata, spec } of examples.filter(isMessage)) {
    const { stdout } = await kubectl('--namespace', scenes, 'logs', `msg-${metadata.name}`);
    assert.ok(stdout.includes(spec.text), `${metadata.name} prints ${stdout}`);
  }
  // Their tunnels look for a server that nobody has, which costs the others time.
  await kubectl('--namespace', scenes, 'delete', 'dsvc', '--all', '--wait=false');
});

test('a tunnel logs in at a gate that was asleep, and carries traffic while it sleeps again', async () => {
  await untilRunning();
  await untilAllAnswer(1);
  await untilAsleep(site, ['frp-gate']);
  assert.deepEqual(
    (await whoAnswers(5)).filter((answer) => answer.startsWith('nobody')),
    [],
  );
  assert.ok(!(await awake(site)).includes('frp-gate'), 'requests have woken the gate');
});

test('while all sleep: what is changed is followed, what is scaled has so many Pods, and each child that is deleted comes back', async () => {
  await untilAsleep(site);
  const before = await children();
  await Promise.all([
    say('cold'),
    scaleTo(2),
    breakChildren(async (path, { metadata }) => {
      const preconditions = { uid: metadata.uid };
      const { status, body } = await site.api('DELETE', path, {
        body: { preconditions, propagationPolicy: 'Background' },
      });
      assert.ok(status < 300, JSON.stringify(body));
    }),
  ]);
  await until(
    'each child is there anew',
    async () => {
      const now = await children();
      const left = childrenOfWeb.filter((_, at) =>
        [undefined, before[at]?.metadata.uid].includes(now[at]?.metadata.uid),
      );
      return left.length === 0 || left.map(({ name }) => name);
    },
    45,
  );
  await untilSaid('cold');
  await untilProcessed();
  await untilRunning();
  await untilAllAnswer(2);
});

test('while they are awake: the same, and each child that is changed is changed back', async () => {
  await say('warm');
  const before = await children();
  const managed = 'app.kubernetes.io/managed-by';
  await breakChildren(async (path) => {
    const body = { metadata: { labels: { [managed]: 'somebody' } } };
    const { status } = await site.api('PATCH', path, { body, contentType: 'application/merge-patch+json' });
    assert.equal(status, 200);
  });
  await kubectl('--namespace', scenes, 'delete', 'pod', 'msg-any-text', '--wait=false');
  await scaleTo(1);
  await until('each child is as it was', async () => {
    const now = await children();
    const left = childrenOfWeb.filter(
      (_, at) => now[at]?.metadata.labels?.[managed] !== before[at]?.metadata.labels?.[managed],
    );
    return left.length === 0 || left.map(({ name }) => name);
  });
  await untilSaid('warm');
  await untilProcessed();
  await untilRunning();
  await untilAllAnswer(1);
  assert.notDeepEqual(await awake(site), []);
});

test('what is deleted goes with all that was made for it, awake or asleep', async () => {
  const gone = async (): Promise<void> => {
    await until('all children are gone', async () => {
      const left = (await children()).flatMap((child) => child?.metadata.name ?? []);
      return left.length === 0 || left;
    });
  };
  await kubectl('--namespace', scenes, 'delete', 'message', 'any-text', '--timeout=30s');
  await untilAsleep(site);
  await deleteService(tunnels, 'web');
  await kubectl('--namespace', scenes, 'delete', 'message', 'hello', '--timeout=30s');
  await gone();
  const podsAreGone = async (): Promise<true | readonly string[]> => {
    const left = (await site.list('v1', 'Pod', scenes)).map(({ metadata }) => metadata.name);
    return left.length === 0 || left;
  };
  await until('the Pods of Messages are gone', podsAreGone, 45);
});
