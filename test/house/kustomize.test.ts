import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { services } from '../../functions/table.ts';
import { reconciledType } from '../../packages/controller/domain/delivery.ts';
import { readConfig } from '../../packages/controller/server/config.ts';
import { wants } from '../../packages/mesh/broker/trigger-filter.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import type { FunctionSpec } from '../../packages/mesh/mesh-spec.ts';
import { filesOf, root, textIfAny } from './files.ts';

const spec = readManifests({ root });
/** The Broker for Kafka needs no channel before the log. */
const noChannel = 2;
/** Three ApiServerSources with their accounts, roles and bindings, and a Trigger go; five objects come. */
const noAdapters = 13 - 5;

describe('kustomize', () => {
  for (const folder of [
    'crds',
    'eventing',
    'deploy/admission',
    'deploy/accounts',
    'deploy/functions',
    'deploy/network-policies',
    'deploy/disruption-budgets',
  ]) {
    it(`is told of every file of ${folder}/`, () => {
      const { resources } = parse(textIfAny(`${folder}/kustomization.yaml`)) as { resources: readonly string[] };
      const files = filesOf(folder, '.yaml').map((path) => path.slice(folder.length + 1));
      assert.deepEqual(
        [...resources].sort(),
        files.filter((path) => path !== 'kustomization.yaml'),
      );
    });
  }

  for (const overlay of readdirSync(join(root, 'deploy/overlays'))) {
    it(`the overlay ${overlay} is read without kubectl`, () => {
      const fewer = { kafka: noChannel, source: noAdapters }[overlay] ?? 0;
      assert.ok(readManifests({ root, overlay }).objects.length >= spec.objects.length - fewer);
    });
  }

  it('the overlay per-function has a Service for each function of a DistributedService, like the one that serves them all', () => {
    const { functions, triggers } = readManifests({ root, overlay: 'per-function' });
    const shared = spec.functions.find(({ name }) => name === 'distributed-service');
    const own = services['distributed-service'];
    const others = spec.functions.filter((one) => one !== shared);
    const byName = (all: readonly FunctionSpec[]) => all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    assert.ok(shared);
    assert.deepEqual(byName(functions), byName([...others, ...own.map((name) => ({ ...shared, name }))]));
    for (const stem of own) {
      const trigger = triggers.find(({ name }) => name === stem);
      assert.deepEqual(trigger?.subscriber, { kind: 'function', namespace: 'knudge', name: stem, path: `/${stem}` });
    }
  });

  it('the overlay kafka has the other class of Broker, at its own address', () => {
    const { brokers, functions } = readManifests({ root, overlay: 'kafka' });
    assert.deepEqual(
      brokers.map((broker) => broker.class),
      ['Kafka'],
    );
    const sinks = functions.flatMap(({ env }) => env['K_SINK'] ?? []);
    assert.deepEqual(
      [...new Set(sinks)],
      ['http://kafka-broker-ingress.knative-eventing.svc.cluster.local/knudge/knudge'],
    );
  });

  it('the overlay deliveries has the functions that events wake report to the Broker, and the log alone take it', () => {
    const { functions, triggers } = readManifests({ root, overlay: 'deliveries' });
    const reporting = functions.filter(({ env }) => env['REPORT_DELIVERIES'] !== undefined);
    assert.deepEqual(reporting.map(({ name }) => name).sort(), [
      'distributed-service',
      'message-changed',
      'resync-due',
    ]);
    for (const { name, env } of reporting) {
      const { reportDeliveries, sink } = readConfig(env);
      assert.deepEqual([reportDeliveries, sink !== ''], ['event', true], name);
    }
    const attributes = { specversion: '1.0', id: '1', source: '/knudge/functions', type: reconciledType };
    const report = { attributes, contentType: 'application/json', data: Buffer.from('{}') };
    const takers = triggers.filter(({ filters }) => wants(filters, report)).map(({ name }) => name);
    assert.deepEqual(takers, ['event-recorded']);
  });
});
