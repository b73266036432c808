import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { objectsIn } from '../kube/install.ts';
import { kustomized } from '../kube/kustomized.ts';
import { until } from '../kube/until.ts';
import { commandsIn } from './commands-in.ts';
import { allReady, apply, kubectl, noSubscriberIsLeft } from './installed.ts';
import { loadOldImage } from './old-image.ts';
import { home, site } from './site.ts';
import { advised, aMessageIsProcessed, carryOut, doctorIsContent, examined, knudge } from './works.ts';

const old = 'test/fixtures/versions/a28690a';
const image = 'dev.local/knudge:a28690a';
const namespace = 'upgraded';
/** Four a second for ten seconds, so that they fall before, into and after the moment in which Knative changes over. */
const [count, everyMs] = [40, 250];
const { node } = site();

describe('an upgrade from the version of a28690a, with events on their way', () => {
  const names: string[] = [];
  before(async () => {
    await kubectl(['create', 'namespace', namespace]);
    await loadOldImage(node, { layer: `${old}/functions.tar.gz`, name: image });
    // What an older version may not read, and a channel that is as new as the rest.
    await kubectl(['--namespace', home, 'delete', 'broker', 'knudge', '--timeout=60s']);
    await kubectl(['--namespace', home, 'delete', 'jobs', '--all']);
    await kubectl(['--namespace', home, 'delete', 'services.serving.knative.dev', 'event-log', '--timeout=60s']);
    await kubectl(['--namespace', home, 'delete', 'persistentvolumeclaim', 'event-log', '--timeout=120s']);
    const manifests = readFileSync(`${old}/deploy.yaml`, 'utf8').replaceAll('knudge/knudge:0.1.0', image);
    await kubectl(['apply', '--filename', '-'], manifests);
    await allReady();
  });
  after(async () => {
    await kubectl(['delete', 'namespace', namespace, '--timeout=120s']);
  });

  // A new version may need more of Knative than the old one.
  before(() => carryOut(commandsIn('docs/install.md', 'What must be there')[0] ?? ''));

  it('goes through while Messages are made, and whatever got lost meanwhile the resync finds', async (t) => {
    const upgrade = apply({ resources: ['deploy'] });
    for (let number = 0; number < count; number += 1) {
      names.push(await putMessage(`m-${String(number)}`));
      await sleep(everyMs);
    }
    await upgrade;
    await allReady();
    const before = await processed();
    t.diagnostic(`${before.length} of ${count} Messages were processed without the resync`);
    await knudge('resync');
    await until(
      'every Message is Processed',
      async () => {
        const done = await processed();
        return done.length === count || names.filter((name) => !done.includes(name));
      },
      150,
    );
    assert.deepEqual(await podTexts(), names.map((name) => `hello ${name}`).sort());
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

async function putMessage(name: string): Promise<string> {
  const metadata = { name, namespace };
  const message = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata, spec: { text: `hello ${name}` } };
  await kubectl(['create', '--filename', '-'], JSON.stringify(message));
  return name;
}

interface Listed<Item> {
  readonly items: readonly Item[];
}

async function list<Item>(kind: string): Promise<readonly Item[]> {
  return (JSON.parse(await kubectl(['--namespace', namespace, 'get', kind, '--output=json'])) as Listed<Item>).items;
}

async function processed(): Promise<readonly string[]> {
  const all = await list<{ metadata: { name: string }; status?: { phase?: string } }>('messages.myorg.dev');
  return all.filter(({ status }) => status?.phase === 'Processed').map(({ metadata }) => metadata.name);
}

/** What the Pods of the Messages say. */
async function podTexts(): Promise<readonly string[]> {
  const pods = await list<object>('pods');
  return pods.map((pod) => /hello m-\d+/.exec(JSON.stringify(pod))?.[0] ?? '').sort();
}
