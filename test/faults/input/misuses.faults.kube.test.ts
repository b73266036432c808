import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { messagePodName } from '../../build/message-pod-name.ts';
import { pathOf } from '../../kube/install.ts';
import { until } from '../../kube/until.ts';
import { faultShare } from '../share.ts';
import { ownSecret, profile } from './good-world.ts';
import { hostileTexts } from './hostile-texts.ts';
import type { Fields } from './malformed-resource.ts';
import { insistOnSame } from './masked.ts';
import { type Misuse, type Scene, type Shape, shapes, withBackends } from './misuse.ts';
import { misuses, noYaml } from './misuses.ts';
import { forEach, type InputWorld, openWorld } from './world.ts';

/** Most of the time is spent waiting for Pods. */
const atOnce = 32;

let world: InputWorld;
before(async () => {
  world = await openWorld();
  await world.put(profile('default'));
});
after(() => world.close());

const began = performance.now();
const say = (line: string): void => console.log(`# ${((performance.now() - began) / 1000).toFixed(0)} s: ${line}`);

function service(name: string, spec: Fields, version = 'v1beta1'): KubeObject {
  return { apiVersion: `frp.io/${version}`, kind: 'DistributedService', metadata: { name }, spec } as KubeObject;
}

async function set({ put = [], remove = [] }: Scene = {}): Promise<readonly KubeObject[]> {
  for (const object of remove) await world.remove(object);
  return Promise.all(put.map((object) => world.put(object)));
}

const fresh = new Map<Shape, Promise<readonly string[]>>();

/** The state of a service of this shape that was never anything else. */
function freshState(shape: Shape): Promise<readonly string[]> {
  const known = fresh.get(shape) ?? makeFresh(shape, `fresh-${fresh.size}`);
  fresh.set(shape, known);
  return known;
}

async function makeFresh(shape: Shape, name: string): Promise<readonly string[]> {
  await set({ put: [profile(`${name}-p`), await ownSecret(`${name}-s`)] });
  const made = await world.put(service(name, shapes[shape](name)));
  await world.settle(made);
  return world.stateOf(made);
}

/** Bad, reported, corrected, right again: and as one that was never bad. */
async function goThrough(row: Misuse, name: string, version: string): Promise<void> {
  const put = await set(await row.bad?.(name));
  const bad = await world.put(service(name, row.spec(name), version));
  await until(
    `${row.name} is told`,
    async () => {
      await world.post(bad);
      const { conditions = [] } = (await world.look(bad)).status ?? {};
      const told = conditions.filter(({ status, reason }) => status === 'False' && matches(reason, row.told.reason));
      const ready = conditions.find(({ type }) => type === 'Ready')?.status;
      return (ready === 'False' && told.some(({ message }) => row.told.message.test(message))) || conditions;
    },
    60,
  );
  for (const object of put)
    assert.deepEqual(await wordsOf(object), words(object), `${row.name}: touched ${object.metadata.name}`);
  await set(await row.good?.(name));
  await world.settle(await world.put(service(name, shapes[row.shape](name), version)));
  const state = await world.stateOf(service(name, {}));
  insistOnSame(state, await freshState(row.shape), row.name);
}

function matches(reason: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? reason === wanted : wanted.test(reason);
}

/** What somebody wrote, and what nobody else may have written beside it. */
function words(object: KubeObject): unknown {
  const { status: _, metadata, ...rest } = object as KubeObject & { readonly status?: unknown };
  const { name, uid, labels, ownerReferences, finalizers } = metadata;
  return { ...rest, metadata: { name, uid, labels, ownerReferences, finalizers } };
}

async function wordsOf({ apiVersion, kind, metadata: { name } }: KubeObject): Promise<unknown> {
  const found = await world.get(apiVersion, kind, name);
  return found && words(found);
}

const all = misuses();
const rows = faultShare.of(all);

test(`each of ${rows.length} services that make no sense is told so by a condition, and recovers`, async (t) => {
  let done = 0;
  await forEach(
    rows,
    async (row, index) => {
      const version = index % 2 === 0 ? 'v1beta1' : 'v1';
      await goThrough(row, `misuse-${index}`, version);
      done += 1;
      if (done % 50 === 0) say(`${done} of ${rows.length} recovered as new ones`);
      if (!row.onlyNew) await goThrough(row, `misuse-${index}`, version).catch(overRunning);
    },
    atOnce,
  );
  const over = rows.filter(({ onlyNew }) => !onlyNew).length;
  t.diagnostic(
    `counted: ${rows.length} of ${all.length} services that make no sense, ${over} of them again as an update of one that runs; all told, all recovered`,
  );
  say(`the functions answered ${[...world.answers].map(([status, count]) => `${count} x ${status}`).join(', ')}`);
});

function overRunning(error: unknown): never {
  throw new Error(`over one that runs: ${String(error)}`);
}

function message(name: string, text: string): KubeObject {
  return { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name }, spec: { text } } as KubeObject;
}

interface Printing {
  readonly spec?: { readonly containers: readonly { readonly env?: readonly { readonly value?: string }[] }[] };
}

test('a Message says every hostile text as it is, and another one after it', async (t) => {
  const texts = hostileTexts.filter((text) => !text.includes('\u0000') && text.length <= 4096);
  const good = await world.put(message('fresh', 'good'));
  await world.settle(good);
  const state = await world.stateOf(good);
  await forEach(
    texts,
    async (text, index) => {
      const bad = await world.put(message(`hostile-${index}`, text));
      await world.settle(bad);
      const pod = (await world.get('v1', 'Pod', messagePodName(bad.metadata.name))) as Printing | undefined;
      assert.equal(pod?.spec?.containers[0]?.env?.[0]?.value, text.replaceAll('$', '$$$$'));
      await world.settle(await world.put(message(bad.metadata.name, 'good')));
      insistOnSame(await world.stateOf(bad), state, JSON.stringify(text));
    },
    atOnce,
  );
  t.diagnostic(`counted: ${texts.length} Messages with hostile texts, each served and changed`);
});

test('a Message whose Pod is somebody else says so, and recovers', async () => {
  const metadata = { name: messagePodName('squatted'), labels: { app: 'theirs' } };
  const pod = await world.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { containers: [{ name: 'a', image: 'a' }] },
  } as KubeObject);
  const bad = await world.put(message('squatted', 'good'));
  await world.post(bad);
  const { phase, conditions = [] } = (await world.look(bad)).status ?? {};
  assert.deepEqual([phase, conditions[0]?.reason], ['Failed', 'NameConflict']);
  assert.equal((await world.get('v1', 'Pod', pod.metadata.name))?.metadata.uid, pod.metadata.uid);
  await world.remove(pod);
  await world.settle(bad);
  insistOnSame(await world.stateOf(bad), await world.stateOf(message('fresh', 'good')), 'squatted');
});

test('a selector whose key no apply can hold raw is told as every other', async () => {
  const selector = { matchLabels: { [noYaml]: 'x' } };
  const made = await world.put(
    service('no-yaml', withBackends('no-yaml', { discovery: 'selector', port: 80, selector })),
  );
  await world.post(made);
  const { conditions = [] } = (await world.look(made)).status ?? {};
  assert.equal(conditions.find(({ type }) => type === 'Ready')?.status, 'False');
});

/** The API server takes the status of v1beta1 from its owner then: what an apply no longer names is nobody's. */
test('a service that is replaced as v1, without its status, ends with the status of a fresh one', async () => {
  const name = 'replaced';
  const made = await world.put(service(name, shapes.selector(name), 'v1'));
  await world.settle(made);
  const { metadata } = await world.look(made);
  const body = { ...service(name, shapes.plain(name), 'v1'), metadata };
  const path = pathOf(made.apiVersion, made.kind, { namespace: world.namespace, name });
  assert.equal((await world.api('PUT', path, { body })).status, 200);
  await world.settle(made);
  insistOnSame(await world.stateOf(service(name, {})), await freshState('plain'), name);
});
