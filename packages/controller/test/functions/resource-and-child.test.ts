import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionOf } from '../../../../test/build/greeting-crd.ts';
import { defineResource } from '../../decide/define.ts';
import { notYet, yes } from '../../decide/defined/ready.ts';
import { addKinds } from '../../domain/known-kinds.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { defineController } from '../../functions/define-controller.ts';
import { embedded } from './embedded.ts';

const apiVersion = 'example.org/v1';
addKinds({
  'example.org/v1/Team': { plural: 'teams', namespaced: true },
  'example.org/v1/Project': { plural: 'projects', namespaced: true },
});

/** A Project as the API server has it. */
interface Project extends KubeObject {
  readonly spec: { readonly nested?: boolean };
  readonly status?: { readonly phase?: string };
}

const team = defineResource()({
  apiVersion,
  kind: 'Team',
  children: ({ name }) => ({ project: { apiVersion, kind: 'Project', name: `${name}-project` } }),
  desired: () => ({ project: { spec: {} } }),
  ready: ({ children: { project } }) =>
    (project as Project | undefined)?.status?.phase === 'ready'
      ? yes('Ready', 'It works')
      : notYet('Waiting', 'It will'),
  status: ({ state }) => ({ phase: state }),
});

/** It has a child of another kind, and one of its own where that is wanted. */
const project = defineResource<Project>()({
  apiVersion,
  kind: 'Project',
  children: ({ name }) => ({
    text: { apiVersion: 'v1', kind: 'ConfigMap', name: `${name}-text` },
    part: { apiVersion, kind: 'Project', name: `${name}-part` },
  }),
  desired: ({ owner: { spec } }) => ({
    text: { data: { text: 'Hello' } },
    part: spec.nested === true ? { spec: {} } : undefined,
  }),
  ready: ({ children: { text } }) => (text === undefined ? notYet('Waiting', 'It will') : yes('Ready', 'It works')),
  status: ({ state }) => ({ phase: state }),
});

const crds = [definitionOf('Team', {}), definitionOf('Project', { nested: { type: 'boolean' } })];
const resources = [team, project];
const metadataOf = (name: string) => ({ name, namespace: 'shop' });
const teamOf = (name: string) => ({ apiVersion, kind: 'Team', metadata: metadataOf(name), spec: {} });
const projectOf = (name: string, spec: Project['spec'] = {}): Project => ({
  ...{ apiVersion, kind: 'Project', metadata: metadataOf(name) },
  spec,
});
const refTo = (kind: string, name: string) => ({
  apiVersion: kind === 'ConfigMap' ? 'v1' : apiVersion,
  ...{ kind, namespace: 'shop', name },
});

test('one function takes the events of a kind that is a resource and a child, and one Service serves it', () => {
  const { controller } = embedded(resources, crds);
  const rows = Object.values(controller.functions).filter((row) => row.wakes === 'change');
  assert.deepEqual(
    rows.map(({ kind, labels, looksAt }) => [kind, labels, looksAt]),
    [
      ['example.org/Team', [''], 'of others'],
      ['example.org/Project', [''], 'all'],
      ['/ConfigMap', ['knudge.dev/owner-uid'], 'all'],
    ],
  );
  assert.deepEqual(controller.services, {
    project: ['project-changed', 'config-map-changed'],
    'event-log': ['event-recorded', 'dead-lettered'],
  });
  assert.deepEqual(controller.serviceNames, ['team-changed', 'project', 'resync-due', 'event-log']);
});

test('one that nobody owns is reconciled by its own events', async () => {
  const { api, drain } = embedded(resources, crds);
  api.create(projectOf('solo'));
  await drain();
  assert.ok(api.get(refTo('ConfigMap', 'solo-text')));
});

test('one that is owned is reconciled as well, and its owner hears of it', async () => {
  const { api, drain } = embedded(resources, crds);
  api.create(teamOf('a'));
  await drain();
  assert.ok(api.get(refTo('ConfigMap', 'a-project-text')));
  assert.equal((api.get(refTo('Team', 'a')) as Project | undefined)?.status?.phase, 'ready');
  api.delete(refTo('Project', 'a-project'));
  await drain();
  assert.ok(api.get(refTo('Project', 'a-project')), 'its owner has made it again');
});

test('a child of its own kind is reconciled, and wakes its owner', async () => {
  const { api, drain } = embedded(resources, crds);
  api.create(projectOf('solo', { nested: true }));
  await drain();
  assert.ok(api.get(refTo('ConfigMap', 'solo-part-text')));
  api.delete(refTo('Project', 'solo-part'));
  await drain();
  assert.ok(api.get(refTo('Project', 'solo-part')));
});

test('a round of the resync asks after each once, and ends', async () => {
  const { api, drain, resync, lose } = embedded(resources, crds);
  api.create(teamOf('a'));
  api.create(projectOf('solo', { nested: true }));
  lose();
  const first = await resync();
  assert.deepEqual(first.filter((name) => /(a|solo)$/.test(name)).sort(), [
    'example.org/v1 Project solo',
    'example.org/v1 Team a',
  ]);
  assert.ok(api.get(refTo('ConfigMap', 'solo-text')), 'and so it is reconciled although its events are lost');
  await drain();
  const all = ['Project a-project', 'Project solo', 'Project solo-part', 'Team a'];
  assert.deepEqual(
    [...(await resync())].sort(),
    all.map((name) => `example.org/v1 ${name}`),
  );
  assert.equal(await drain(), 0, 'at rest it changes nothing');
});

test('two kinds of one name in two groups have a function each', () => {
  const serving = defineResource()({
    apiVersion,
    kind: 'Team',
    children: ({ name }) => ({
      service: { apiVersion: 'v1', kind: 'Service', name },
      knative: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name },
    }),
    desired: () => ({ service: undefined, knative: undefined }),
    ready: () => yes('Ready', 'It works'),
  });
  const { functions, services } = defineController({ resources: [serving] });
  const kinds = Object.entries(functions).flatMap(([stem, row]) => (row.wakes === 'change' ? [[stem, row.kind]] : []));
  assert.deepEqual(kinds, [
    ['team-changed', 'example.org/Team'],
    ['service-changed', 'serving.knative.dev/Service'],
    ['core-service-changed', '/Service'],
  ]);
  assert.deepEqual(services['team'], ['team-changed', 'service-changed', 'core-service-changed']);
});
