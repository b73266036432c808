import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { pathOf } from '../../kube/install.ts';
import { faultShare } from '../share.ts';
import { bases, servers } from './bases.ts';
import { ownSecret, profile } from './good-world.ts';
import type { MalformedResource } from './malformed-resource.ts';
import { insistOnSame } from './masked.ts';
import { type Refusing, refuse, refuseStatus } from './refuse.ts';
import { malformedResources, ruleMessages } from './resources.ts';
import { atOnce, forEach, type InputWorld, openWorld } from './world.ts';

const all = malformedResources();
/** Their corrections stay, and are brought to rest. */
const firstObjects = firstsOf(all.objects);
const objects = inShare(all.objects, firstObjects);
const statuses = inShare(all.statuses, firstsOf(all.statuses));
const messages = new Set<string>();
const standing = new Map<string, KubeObject>();
let world: InputWorld;

before(async () => {
  world = await openWorld();
  for (const object of [...servers.map((name) => profile(name)), await ownSecret('payroll-client')]) {
    await world.put(object);
  }
  await forEach(bases, async (base) => {
    const { object } = base;
    const [, version] = object.apiVersion.split('/');
    const good = await world.put({ ...object, metadata: { name: `${object.metadata.name}-${version}` } });
    await world.settle(good);
    await world.post(good);
    standing.set(base.name, await world.look(good));
  });
  say(`${standing.size} good objects run`);
});
after(() => world.close());

const began = performance.now();
function say(line: string): void {
  console.log(`# ${((performance.now() - began) / 1000).toFixed(0)} s: ${line}`);
}

function counted(rows: readonly MalformedResource[]): string {
  const kinds = Object.groupBy(rows, ({ expected }) => expected.is);
  return Object.entries(kinds)
    .map(([kind, { length }]) => `${length} ${kind}`)
    .join(', ');
}

/** The first row of each field, and of each rule, of each kind. */
function firstsOf(rows: readonly MalformedResource[]): ReadonlySet<MalformedResource> {
  return new Set(new Map(rows.toReversed().map((row) => [fieldOf(row), row])).values());
}

/** These firsts, and of the other rows a share. */
function inShare(rows: readonly MalformedResource[], firsts: ReadonlySet<MalformedResource>) {
  const others = new Set(faultShare.of(rows.filter((row) => !firsts.has(row))));
  return rows.filter((row) => firsts.has(row) || others.has(row));
}

function fieldOf({ base, field }: MalformedResource): string {
  return `${base.split(' ')[0]} ${field}`;
}

function at(row: MalformedResource, index: number): Refusing {
  const base = bases.find(({ name }) => name === row.base);
  const good = standing.get(row.base);
  assert.ok(base && good, row.base);
  return { world, base, standing: good, name: `bad-${index}`, stays: firstObjects.has(row) };
}

test('each malformed object is refused at creation and as an update, and its correction is taken', async (t) => {
  assert.ok(all.objects.length >= 2000);
  await forEach(objects, (row, index) => refuse(row, at(row, index), (message) => messages.add(message)));
  t.diagnostic(
    `counted: ${objects.length} of ${all.objects.length} malformed objects (${counted(objects)}), each corrected`,
  );
});

test('each malformed status is refused', async (t) => {
  await forEach(statuses, (row, index) => refuseStatus(row, at(row, index), (message) => messages.add(message)));
  t.diagnostic(`counted: ${statuses.length} of ${all.statuses.length} malformed statuses (${counted(statuses)})`);
});

test('every rule of the CRDs was heard', () => {
  const all = [...messages].join('\n');
  assert.deepEqual(
    ruleMessages().filter((rule) => !all.includes(rule)),
    [],
  );
});

test('the good objects that all of it was written over are untouched, and go on through a correct update', async () => {
  await forEach([...standing.values()], async (good) => {
    assert.deepEqual(await world.look(good), good);
    const before = await world.stateOf(good);
    const body = { ...good, metadata: { ...good.metadata, annotations: { note: 'corrected' } } };
    const { status } = await world.api(
      'PUT',
      pathOf(good.apiVersion, good.kind, { namespace: world.namespace, name: good.metadata.name }),
      { body },
    );
    assert.equal(status, 200);
    await world.settle(good);
    insistOnSame(await world.stateOf(good), before, good.metadata.name);
  });
});

interface Scaling extends KubeObject {
  readonly spec?: { readonly backends?: { readonly workloadRef?: object } };
}

/** Gives a service a server and a workload of its own, so that it wants nothing that another one has; the state that it comes to. */
async function stateAlone({ apiVersion, kind, metadata: { name }, spec }: Scaling): Promise<readonly string[]> {
  const object = { apiVersion, kind, metadata: { name, namespace: world.namespace } } as KubeObject;
  if (kind === 'DistributedService') {
    await world.put(profile(name));
    const own = spec?.backends?.workloadRef && { backends: { workloadRef: { name } } };
    const { status } = await world.api('PATCH', pathOf(apiVersion, kind, { namespace: world.namespace, name }), {
      body: { spec: { serverProfile: name, ...own } },
      contentType: 'application/merge-patch+json',
    });
    assert.equal(status, 200);
  }
  await world.settle(object);
  return world.stateOf(object);
}

test('of each field the object that was corrected becomes right, as one that was never bad', async (t) => {
  const wanted = new Map<string, Promise<readonly string[]>>();
  const rows = [...objects.entries()].filter(([, row]) => firstObjects.has(row));
  await forEach(
    rows,
    async ([index, row]) => {
      const { standing: good, base, name } = at(row, index);
      if (!wanted.has(row.base)) wanted.set(row.base, stateAlone(good));
      const found = await stateAlone({ ...base.object, metadata: { name } });
      insistOnSame(found, (await wanted.get(row.base)) ?? [], row.name);
    },
    2 * atOnce,
  );
  t.diagnostic(
    `counted: ${rows.length} of ${objects.length} corrected objects, one a field, brought to rest and compared`,
  );
  say(`the functions answered ${[...world.answers].map(([status, count]) => `${count} x ${status}`).join(', ')}`);
});
