import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import { objectsIn } from '../kube/install.ts';
import { kustomized } from '../kube/kustomized.ts';
import { until } from '../kube/until.ts';
import { commandsIn } from './commands-in.ts';
import { uninstall } from './install-again.ts';
import { allReady, apply, kubectl, noSubscriberIsLeft, withParts } from './installed.ts';
import { announced, messageStream } from './message-stream.ts';
import { loadOldImage } from './old-image.ts';
import { adapterOf, adapterReadySince, untilReady } from './parts.ts';
import { podsWith } from './processes.ts';
import { finishedResync, foundByResync } from './resync.ts';
import { home, site } from './site.ts';
import { advised, aMessageIsProcessed, carryOut, doctorIsContent, examined, knudge } from './works.ts';

const old = 'test/fixtures/versions/a28690a';
const image = 'dev.local/knudge:a28690a';
const namespace = 'upgraded';
/** Of examples/mtls-generated.yaml. */
const service = 'billing';
/** After its adapter is ready a source does not watch yet for six seconds, and who watches anew counts as ready for some more. */
const watchesAfterMs = 10_000;
const adapter = adapterOf('cluster-objects');
const cluster = site();
const { node } = cluster;

describe('an upgrade from the version of a28690a, with events on their way', () => {
  let deployment = '';
  before(async () => {
    await uninstall(cluster);
    await kubectl(['create', 'namespace', namespace]);
    await loadOldImage(node, { layer: `${old}/functions.tar.gz`, name: image });
    const manifests = readFileSync(`${old}/deploy.yaml`, 'utf8').replaceAll('knudge/knudge:0.1.0', image);
    await kubectl(['apply', '--filename', '-'], manifests);
    await allReady();
    await example('server-profile');
    await example('mtls-generated');
    deployment = await uidOfDeployment(service);
  });
  after(async () => {
    await kubectl(['--namespace', namespace, 'delete', 'messages,distributedservices', '--all', '--timeout=170s']);
    await kubectl(['delete', 'namespace', namespace, '--timeout=170s']);
  });

  // A new version may need more of Knative than the old one.
  before(() => carryOut(commandsIn('docs/install.md', 'What must be there')[0] ?? ''));

  it('goes through by the words of docs/operations.md while Messages are made, and what got lost meanwhile the resync finds', async (t) => {
    const stream = messageStream(cluster, namespace, 'm');
    // The upgrade meets a line that is going.
    await until('the old version deals with Messages', async () => (await podsOf('m-')) >= 3, 60);
    const others = (await podsWith(cluster, home, adapter)).map(({ metadata }) => metadata.name);
    const began = Date.now();
    const upgraded = upgrade();
    await example('mtls-generated', 'made-meanwhile');
    await upgraded;
    await allReady();
    const watching = async () => (await adapterReadySince(cluster, 'cluster-objects')) + watchesAfterMs;
    // A source says that it is ready by its old adapter too; and one can be started more than once.
    await untilReady(cluster, adapter, { namespace: home, others, seconds: 180 });
    await until('the sources watch for ten seconds', async () => Date.now() > (await watching()) + 10_000, 180);
    const made = await stream.stop();
    const watches = await watching();
    await finishedResync(cluster);
    let found: ReadonlySet<string> = new Set();
    await stream.pods(watches, 30, async () => {
      found = await foundByResync(cluster, namespace);
    });
    // What may be lost: what was made until the new sources watch, and what the old ones had not brought yet. No other is. The resync
    // also finds what is only late: so the log is asked, which has each event that has come.
    let lost = made;
    await until(
      'the log has the event of each Message that was made since the sources watched',
      async () => {
        const came = await announced(namespace);
        lost = made.filter(({ name }) => !came.has(name));
        const since = lost.filter(({ at }) => at > watches);
        return since.length === 0 || since;
      },
      60,
    );
    const resync = `${found.size} found by the resync, ${lost.length} of no event`;
    const took = `${((watches - began) / 1000).toFixed(0)} s until the sources watched again`;
    t.diagnostic(`counted: an upgrade: ${made.length} Messages, ${resync}, ${took}`);
    assert.ok(
      made.some(({ at }) => at > watches),
      'Messages are made after it too',
    );
  });

  it('leaves a tunnel of before as it is, and makes the one that was asked for meanwhile', async () => {
    assert.equal(await uidOfDeployment(service), deployment);
    assert.notEqual(await uidOfDeployment('made-meanwhile'), deployment);
    for (const name of [service, 'made-meanwhile']) {
      const found = await cluster.get('frp.io/v1beta1', 'DistributedService', { namespace, name });
      const { status } = found as DistributedService;
      assert.equal(status?.observedGeneration, found?.metadata.generation);
      assert.notEqual(status?.state, 'Failed', JSON.stringify(status));
    }
  });

  it('leaves nothing of the old version behind that doctor does not name', async () => {
    const key = (one: { kind: string; metadata: { name: string; namespace?: string } }) =>
      `${one.kind} ${one.metadata.namespace ?? ''}/${one.metadata.name}`;
    const now = new Set((await kustomized('deploy')).map(key));
    const { findings } = await examined();
    for (const one of objectsIn(`${old}/deploy.yaml`).filter((object) => !now.has(key(object)))) {
      const place = one.metadata.namespace === undefined ? [] : ['--namespace', one.metadata.namespace];
      const found = await kubectl([
        ...place,
        'get',
        one.kind,
        one.metadata.name,
        '--ignore-not-found',
        '--output=name',
      ]);
      const isNamed = findings.some(
        ({ level, what }) => level !== 'ok' && what.startsWith(`${one.kind} `) && what.includes(one.metadata.name),
      );
      assert.ok(found === '' || isNamed, `${key(one)} is there, and doctor does not name it`);
    }
  });

  it('leaves the Services of the old version to be deleted, by what doctor advises', async () => {
    const left = await advised(/ is left over from another way to deploy functions$/);
    assert.ok(left.length > 0);
    for (const todo of left) await carryOut(todo);
    assert.deepEqual(await advised(/ is left over from another way to deploy functions$/), []);
  });

  it('gives the rights back that the accounts of the old version had, by what doctor advises', async () => {
    const left = await advised(/ is left over from an older version$/);
    assert.ok(left.length > 0);
    for (const todo of left) await carryOut(todo);
    assert.deepEqual(await advised(/ is left over from an older version$/), []);
    await aMessageIsProcessed(namespace);
  });

  it('ends with a Broker that sends each event once, after what doctor advises', async (t) => {
    for (const todo of await advised(/subscriber/)) {
      t.diagnostic(todo);
      await kubectl(['--namespace', home, 'delete', 'broker', 'knudge', '--timeout=60s']);
      await apply({ resources: ['deploy'] });
      await allReady();
    }
    await noSubscriberIsLeft();
    await doctorIsContent();
  });
});

/** The block of the document, with the kustomization of somebody who has an image of their own. */
async function upgrade(): Promise<void> {
  const [block = ''] = commandsIn('docs/operations.md', 'Upgrade');
  const commands = block.split('\n').filter((line) => line !== '');
  assert.equal(commands.length, 4);
  for (const command of commands) {
    if (command.startsWith('npx knudge doctor')) await knudge('doctor');
    else await withParts({ resources: ['deploy'] }, (folder) => carryOut(command.replace('-k deploy', `-k ${folder}`)));
  }
}

/** How many Messages with such a name have their Pods. */
async function podsOf(prefix: string): Promise<number> {
  const pods = await cluster.list('v1', 'Pod', namespace);
  return pods.filter(({ metadata }) => metadata.name.startsWith(`msg-${prefix}`)).length;
}

/** Applies an example, under another name if one is given. */
async function example(path: string, name?: string): Promise<void> {
  const text = readFileSync(`examples/${path}.yaml`, 'utf8');
  const own = name === undefined ? text : text.replace(`name: ${service}`, `name: ${name}`);
  await kubectl(['--namespace', namespace, 'apply', '--filename', '-'], own);
}

/** Waits for the Deployment of a service, and gives what tells it from one that was made anew. */
async function uidOfDeployment(name: string): Promise<string> {
  let found: string | undefined;
  await until(
    `${name} has its Deployment`,
    async () => {
      const all = await cluster.list('apps/v1', 'Deployment', namespace);
      const isIts = ({ metadata }: KubeObject) => metadata.ownerReferences?.some((owner) => owner.name === name);
      found = all.find(isIts)?.metadata.uid;
      return found !== undefined;
    },
    60,
  );
  return found ?? '';
}
