import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { readManifests } from '../../src/local/manifests/read-manifests.ts';
import { filesOf, root, textIfAny } from './files.ts';

const spec = readManifests({ root });

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
      // The Broker for Kafka needs no channel before the log.
      const fewer = overlay === 'kafka' ? 2 : 0;
      assert.ok(readManifests({ root, overlay }).objects.length >= spec.objects.length - fewer);
    });
  }

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
});
