import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsWith, sound } from './folder.ts';
import { channels } from './refusals/channels.ts';
import { functions } from './refusals/functions.ts';
import { sources } from './refusals/sources.ts';
import { triggers } from './refusals/triggers.ts';

const trigger = sound['eventing/trigger.yaml'] ?? '';
const source = sound['eventing/source.yaml'] ?? '';

describe('a manifest that Knative or the mesh would not take is refused with file, line, field and sentence', () => {
  it('the manifests that every row begins with are sound', (t) => {
    assert.deepEqual(faultsWith(t, {}), []);
  });

  for (const [name, files, line] of [...triggers, ...sources, ...functions, ...channels]) {
    it(name, (t) => assert.deepEqual(faultsWith(t, files), [line]));
  }

  it('a Trigger without a Broker, and one whose Broker is not there', (t) => {
    const without = trigger.replace('  broker: bus\n', '');
    assert.deepEqual(faultsWith(t, { 'eventing/trigger.yaml': without }), [
      'eventing/trigger.yaml:4: spec.broker: missing field',
    ]);
    const other = trigger.replace('broker: bus', 'broker: other');
    assert.deepEqual(faultsWith(t, { 'eventing/trigger.yaml': other }), [
      'eventing/trigger.yaml:5: spec.broker: there is no Broker home/other',
    ]);
  });

  it('a subscriber that is not there, or without a name', (t) => {
    assert.deepEqual(faultsWith(t, { 'eventing/trigger.yaml': trigger.replace('name: f', 'name: g') }), [
      'eventing/trigger.yaml:6: spec.subscriber.ref.name: there is no Knative Service home/g',
    ]);
    const nameless = faultsWith(t, { 'eventing/trigger.yaml': trigger.replace(', name: f', '') });
    assert.equal(nameless[0], 'eventing/trigger.yaml:6: spec.subscriber.ref.name: missing field');
  });

  it('a Broker of a class that is not run here', (t) => {
    const broker = (sound['eventing/broker.yaml'] ?? '').replace(
      'namespace: home',
      'namespace: home, annotations: { eventing.knative.dev/broker.class: RabbitMQBroker }',
    );
    assert.deepEqual(faultsWith(t, { 'eventing/broker.yaml': broker }), [
      'eventing/broker.yaml:3: metadata.annotations[eventing.knative.dev/broker.class]: a Broker of class RabbitMQBroker is not run locally: MTChannelBasedBroker or Kafka',
    ]);
  });

  it('a source that watches nothing, and one with labelSelector', (t) => {
    const nothing = source.replace('[{ apiVersion: v1, kind: Pod }]', '[]');
    assert.deepEqual(faultsWith(t, { 'eventing/source.yaml': nothing }), [
      'eventing/source.yaml:5: spec.resources: missing field',
    ]);
    const wrong = source.replace('kind: Pod }', 'kind: Pod, labelSelector: {} }');
    assert.deepEqual(faultsWith(t, { 'eventing/source.yaml': wrong }), [
      'eventing/source.yaml:5: spec.resources[0].labelSelector: unknown field: it is called selector',
    ]);
  });

  it('YAML that is none, with its line', (t) => {
    assert.deepEqual(faultsWith(t, { 'deploy/broken.yaml': 'apiVersion: v1\nkind: [\n' }), [
      'deploy/broken.yaml:3: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ]);
    assert.deepEqual(faultsWith(t, { 'deploy/broken.yaml': '# nothing\n---\na: 1\na: 2\n' }), [
      'deploy/broken.yaml:4: Map keys must be unique',
    ]);
  });

  it('a document that is no object', (t) => {
    assert.deepEqual(faultsWith(t, { 'deploy/x.yaml': '---\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {}\n' }), [
      'deploy/x.yaml:3: object: needs apiVersion, kind and metadata.name',
    ]);
  });

  it('one object twice', (t) => {
    assert.deepEqual(faultsWith(t, { 'eventing/twin.yaml': trigger }), [
      'eventing/twin.yaml:3: metadata.name: Trigger home/t of eventing.knative.dev is in eventing/trigger.yaml:3 already',
    ]);
  });

  it('all that is wrong at once', (t) => {
    const faults = faultsWith(t, {
      'eventing/trigger.yaml': trigger.replace('broker: bus', 'broker: 7'),
      'eventing/source.yaml': source.replace('kind: Pod', 'kind: ""'),
    });
    assert.deepEqual(faults, [
      "eventing/trigger.yaml:5: spec.broker: must be a text: write '7'",
      'eventing/trigger.yaml:5: spec.broker: missing field',
      'eventing/source.yaml:5: spec.resources[0].kind: missing field',
    ]);
  });
});
