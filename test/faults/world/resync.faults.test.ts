import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestedType, resyncTypes } from '../../../packages/controller/domain/change.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { place } from '../sim/prepare.ts';
import { inWorld, type World } from './world.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const nameOf = (number: number): string => `web${String(number).padStart(3, '0')}`;
const manyServices = (count: number) => numbers(count).map((number) => cast.web(place, {}, { name: nameOf(number) }));

/** Of these services, those that nobody has looked at. */
function forgotten({ find }: World, count: number): readonly string[] {
  return numbers(count)
    .map(nameOf)
    .filter((name) => find(cast.webRef(place, name))?.status?.state === undefined);
}

/** As if the adapter of the sources were away: what changes is told to nobody. */
const deaf = ({ attributes }: CloudEvent): boolean => attributes['type']?.startsWith('dev.knative.apiserver') === true;

/** Each page of the list of services comes so late. */
const slowly = (ms: number, times: number | 'on' = 'on') =>
  [
    {
      match: { verb: 'list', resource: 'distributedservices', nth: 1 },
      when: 'after',
      times,
      action: { do: 'delay', ms },
    },
  ] as const;

/** The ten seconds of an invocation, four of which it begins new work in. */
const env = { HANDLER_DEADLINE_SECONDS: '10' };
const told = (event: CloudEvent): readonly CloudEvent[] => (deaf(event) ? [] : [event]);
const isContinuation = ({ attributes }: CloudEvent): boolean =>
  attributes['source'] === '/knudge/resync-due' && attributes['type'] === resyncTypes.due;

test('X1: a resync whose time is up after a page goes on where it was, until the last object', async () => {
  await inWorld({ fate: told, faults: slowly(3000), env }, async (world) => {
    for (const service of manyServices(205)) await world.user.create(service);
    await world.resync();
    assert.deepEqual(forgotten(world, 205), []);
    const rounds = world.simulation.trace([]).answers.filter(({ stem }) => stem === 'resync-due');
    const statuses = rounds.map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)], [200, 204]);
    assert.ok(statuses.length >= 3 && statuses.length <= 6, `${statuses.length} invocations for three pages`);
  });
});

test('X1: a list that takes all the time there is does not make the resync ask for itself for ever', async () => {
  let continued = 0;
  const fate = (event: CloudEvent): readonly CloudEvent[] => {
    if (deaf(event)) return [];
    continued += isContinuation(event) ? 1 : 0;
    return continued > 20 ? [] : [event];
  };
  await inWorld({ fate, faults: slowly(4000), env: { HANDLER_DEADLINE_SECONDS: '6' } }, async (world) => {
    for (const service of manyServices(3)) await world.user.create(service);
    await world.resync();
    assert.deepEqual(forgotten(world, 3), []);
    assert.ok(continued <= 3, `${continued} continuations for three objects`);
  });
});

test('X1: a continuation that is lost is made good by the next tick', async () => {
  let lost = 0;
  const fate = (event: CloudEvent): readonly CloudEvent[] => {
    if (!isContinuation(event) || lost > 0) return told(event);
    lost += 1;
    return [];
  };
  await inWorld({ fate, faults: slowly(3000, 2), env }, async (world) => {
    for (const service of manyServices(120)) await world.user.create(service);
    await world.resync();
    assert.equal(lost, 1);
    assert.ok(forgotten(world, 120).length > 0, 'a page has not been asked after');
    await world.resync();
    assert.deepEqual(forgotten(world, 120), []);
  });
});

test('X1: an object at which a function always dies keeps no other from its turn', async () => {
  const match = { verb: 'get', resource: 'distributedservices', name: nameOf(3), nth: 1 } as const;
  const faults = [{ match, when: 'before', times: 'on', action: { do: 'crash' } }] as const;
  await inWorld({ fate: told, faults }, async (world) => {
    for (const service of manyServices(9)) await world.user.create(service);
    await world.resync();
    assert.deepEqual(forgotten(world, 9), [nameOf(3)]);
    world.simulation.gate.lift();
    await world.resync();
    assert.deepEqual(forgotten(world, 9), []);
  });
});

test('X1: a resync that always dies at the same object reaches the tail all the same, in some ticks', async () => {
  let sent = 0;
  let world: World | undefined;
  const fate = (event: CloudEvent): readonly CloudEvent[] => {
    if (event.attributes['type'] !== requestedType) return told(event);
    const run = world?.simulation.runs.find(({ due }) => due.stem === 'resync-due');
    sent += 1;
    if (sent % 6 !== 0 || run === undefined) return [event];
    world?.simulation.kill(run.process);
    return [];
  };
  await inWorld({ fate }, async (opened) => {
    world = opened;
    for (const service of manyServices(12)) await opened.user.create(service);
    // Five of twelve have their turn in each: one in 50,000 is passed over twenty times.
    for (let ticks = 0; ticks < 20; ticks += 1) await opened.resync();
    assert.deepEqual(forgotten(opened, 12), []);
  });
});

test('X1: a resync that always dies within the first page reaches every other page all the same, in some ticks', async () => {
  let world: World | undefined;
  let deaths = 0;
  const fate = (event: CloudEvent): readonly CloudEvent[] => {
    const { type, name } = event.attributes;
    if (type !== requestedType || name !== nameOf(7)) return told(event);
    const run = world?.simulation.runs.find(({ due }) => due.stem === 'resync-due');
    if (run !== undefined) world?.simulation.kill(run.process);
    deaths += 1;
    return [];
  };
  await inWorld({ fate }, async (opened) => {
    world = opened;
    for (const service of manyServices(140)) await opened.user.create(service);
    for (let ticks = 0; ticks < 20 && forgotten(opened, 140).length > 1; ticks += 1) await opened.resync();
    assert.deepEqual(forgotten(opened, 140), [nameOf(7)]);
    assert.ok(deaths > 0);
  });
});
