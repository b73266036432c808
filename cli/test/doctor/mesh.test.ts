import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { judge } from '../../doctor/checks.ts';
import type { Seen } from '../../doctor/seen.ts';
import { empty, func, ready, thing, wanting } from './scene.ts';

const definition = thing('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
  metadata: { name: 'ks.g' },
  spec: { group: 'g', names: { kind: 'K' } },
  status: { conditions: [{ type: 'Established', status: 'True', lastTransitionTime: '2026-11-21T11:00:00Z' }] },
});
const source = thing('sources.knative.dev/v1', 'ApiServerSource', {
  metadata: { name: 'cluster-objects', namespace: 'knudge', creationTimestamp: '2026-11-21T10:00:00Z' },
  spec: { resources: [{ apiVersion: 'g/v1', kind: 'K' }] },
  status: { ...ready, sinkUri: 'http://127.0.0.1:8301/knudge/knudge' },
});
const trigger = thing('eventing.knative.dev/v1', 'Trigger', { metadata: { name: 'pod-changed' } });
const wanted = { ...wanting(definition, source, trigger, func), fileOf: () => 'eventing/triggers/pod-changed.yaml' };

/** The findings about a mesh in which these objects of the manifests are, with what cannot be asked there. */
function inMesh(seen: Partial<Seen>): readonly Finding[] {
  const all: Seen = {
    ...empty,
    definitions: { value: [definition] },
    sources: { value: [source] },
    allowed: { why: 'ask of SubjectAccessReview: the API server answered 404 without a Status' },
    adapters: { why: 'forbidden' },
    ...seen,
  };
  return judge(all, wanted, { judges: {} });
}

function about(found: readonly Finding[], what: string): Finding | undefined {
  return found.find((one) => one.what.includes(what));
}

test('a mesh has no authorization, and no finding complains about it', () => {
  const found = inMesh({});
  const rights = about(found, 'what the sources may read');
  assert.deepEqual(
    [rights?.level, rights?.what],
    ['ok', 'what the sources may read: all, since a mesh has no authorization'],
  );
  assert.deepEqual(
    found.filter(({ what }) => /SubjectAccessReview/.test(what)),
    [],
  );
});

test('no advice in a mesh deletes a Pod, since none runs there', () => {
  const found = inMesh({ definitions: { value: [] } });
  assert.equal(
    about(found, 'ks.g is not there')?.todo,
    'kubectl apply -k crds && kubectl wait --for=condition=Established --timeout=60s crd/ks.g',
  );
  for (const one of [...found, ...inMesh({})]) assert.doesNotMatch(one.todo ?? '', /delete pod/);
});

test('a CRD that is made again in a mesh needs nothing: its source looks for it again', () => {
  assert.deepEqual(about(inMesh({}), 'is older than'), undefined);
  assert.deepEqual(about(inMesh({ adapters: { value: [] } }), 'began before'), undefined);
});

test('a Trigger that is gone in a mesh is applied from its file', () => {
  assert.equal(
    about(inMesh({}), 'Trigger knudge/pod-changed is not there')?.todo,
    'kubectl apply -f eventing/triggers/pod-changed.yaml',
  );
});

test('what a mesh makes at its start comes back by another start', () => {
  const todo = 'end npm start and start it again: it applies every manifest';
  assert.equal(about(inMesh({}), 'Service knudge/x is not there')?.todo, todo);
  const cluster: readonly Thing[] = [];
  assert.match(
    about(inMesh({ sources: { value: cluster } }), 'Service knudge/x')?.todo ?? '',
    /^apply your kustomization again/,
  );
});

test('a function that is gone comes back with the image of the others, in a cluster', () => {
  const spec = { template: { spec: { containers: [{ image: 'registry.example/knudge:7' }] } } };
  const functions = { value: [thing('serving.knative.dev/v1', 'Service', { metadata: { name: 'other' }, spec })] };
  const todo = 'apply your kustomization again: kubectl apply -k .';
  const inCluster = about(inMesh({ functions, sources: { value: [] } }), 'Service knudge/x is not there');
  assert.equal(inCluster?.todo, `with image registry.example/knudge:7, ${todo}`);
  assert.match(about(inMesh({ functions }), 'Service knudge/x is not there')?.todo ?? '', /^end npm start /);
});
