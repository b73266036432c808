import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serviceOf } from '../../../../functions/table.ts';
import { eventStems } from '../../../../test/build/stems.ts';
import { root } from '../../../../test/house/files.ts';
import { readManifests } from '../../manifests/read-manifests.ts';
import { type EventMap, traceEvents } from '../../map/trace.ts';
import { treeOf } from '../../map/tree.ts';
import { coloured, plain } from '../../screen.ts';

const spec = readManifests({ root });
const found = traceEvents(spec);

describe('the map of the manifests', () => {
  it('leads somewhere from every source', () => {
    assert.deepEqual(
      found.ways.filter(({ to }) => to.length === 0),
      [],
    );
  });

  it('leads to every function that a Trigger wakes', () => {
    const woken = new Set(found.ways.flatMap(({ to }) => to.map((stop) => stop.function)));
    const triggered = eventStems.filter((stem) => spec.triggers.some(({ name }) => name === stem));
    assert.deepEqual(
      triggered.filter((stem) => !woken.has(serviceOf(stem) === stem ? stem : `${serviceOf(stem)}/${stem}`)),
      [],
    );
  });

  it('says what a Message becomes', () => {
    const way = found.ways.find(({ source, about }) => source.startsWith('ApiServerSource') && about === 'Message');
    const stop = way?.to.find((one) => one.function === 'message-changed');
    assert.deepEqual(
      way?.types,
      ['add', 'update', 'delete'].map((verb) => `dev.knative.apiserver.resource.${verb}`),
    );
    assert.deepEqual(stop, { trigger: 'message-changed', function: 'message-changed', makes: ['pods'] });
  });

  it('follows names alone where a source sends names alone', () => {
    const way = found.ways.find(({ about }) => about === 'Secret');
    assert.equal(way?.types[0], 'dev.knative.apiserver.ref.add');
  });

  it('says for each Broker and Trigger where its dead letters go', () => {
    const from = found.deadLetters.flatMap((end) => end.from);
    assert.equal(from.length, spec.brokers.length + spec.triggers.length);
  });

  it('says that nobody wants what no Trigger wants', () => {
    const { ways } = traceEvents({ ...spec, triggers: [] });
    assert.ok(ways.length > 0 && ways.every(({ to }) => to.length === 0));
    assert.match(treeOf({ ways, deadLetters: [] }, plain), /\n├─ Message: .*\n│ {2}└─ no Trigger wants it\n/);
  });

  it('knows a subscriber and a sink that are addresses, and a Broker without a sink', () => {
    const [trigger] = spec.triggers;
    const [broker] = spec.brokers;
    assert.ok(trigger && broker);
    const { deadLetterSink: _, ...delivery } = broker.delivery;
    const odd = traceEvents({
      ...spec,
      brokers: [{ ...broker, delivery }],
      triggers: [{ ...trigger, filters: [], subscriber: { kind: 'uri', uri: 'http://a/b' } }],
    });
    assert.deepEqual(odd.ways[0]?.to, [{ trigger: trigger.name, function: 'http://a/b', makes: [] }]);
    assert.equal(odd.deadLetters[0]?.sink, 'nowhere: they are lost');
  });
});

describe('the tree', () => {
  const small: EventMap = {
    ways: [
      {
        source: 'A',
        about: 'x',
        types: ['t.a', 't.b'],
        to: [{ trigger: 't', function: 'f', makes: ['pods', 'secrets'] }],
      },
      {
        source: 'A',
        about: 'y',
        types: ['q'],
        to: [
          { trigger: 'u', function: 'g', makes: [] },
          { trigger: 'v', function: 'h', makes: [] },
        ],
      },
    ],
    deadLetters: [
      { sink: 'd', from: ['Broker b'] },
      { sink: 'e', from: ['1', '2', '3', '4'] },
    ],
  };
  it('has a branch for each way and a leaf for each Trigger', () => {
    assert.deepEqual(treeOf(small, plain).split('\n'), [
      'A',
      '├─ x: t.{a,b}',
      '│  └─ Trigger t → f → pods, secrets',
      '└─ y: q',
      '   ├─ Trigger u → g',
      '   └─ Trigger v → h',
      'dead letters',
      '├─ d from Broker b',
      '└─ e from 1 and 3 more',
    ]);
  });
  it('has colours where they are asked for', () => {
    assert.ok(treeOf(small, coloured).includes(coloured.good('f')));
  });
});
