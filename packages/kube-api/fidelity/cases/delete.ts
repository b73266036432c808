import { type Case, core, del, get, mergePatch, post, put, type Step } from '../case.ts';
import { configMap, pod, service } from './bodies.ts';

const path = core('configmaps', 'web');
const other = '11111111-2222-4333-8444-555555555555';
const save = { save: { uid: 'metadata.uid', version: 'metadata.resourceVersion' } };
const made: readonly Step[] = [post(core('configmaps'), configMap(), save)];
const kept: readonly Step[] = [post(core('configmaps'), configMap({}, { finalizers: ['example.com/keep'] }), save)];

/** DELETE with its options, and finalizers. */
export const deleteCases: readonly Case[] = [
  { name: 'a ConfigMap is gone at once, and then not found', given: made, steps: [del(path), get(path), del(path)] },
  {
    name: 'the answer to a DELETE names what was deleted, or shows it where it takes its time',
    given: [
      post(core('pods'), pod()),
      post(core('services'), service({ clusterIP: 'None' })),
      post(core('serviceaccounts'), { metadata: { name: 'web' } }),
    ],
    steps: [del(core('pods', 'web')), del(core('services', 'web')), del(core('serviceaccounts', 'web'))],
  },
  {
    name: 'a uid as precondition protects another object of the same name',
    given: made,
    steps: [del(path, { preconditions: { uid: other } }), del(path, { preconditions: { uid: '{uid}' } })],
  },
  {
    name: 'a resourceVersion as precondition protects a changed object',
    given: [...made, mergePatch(path, { data: { color: 'red' } }, { save: { newer: 'metadata.resourceVersion' } })],
    steps: [
      del(path, { preconditions: { resourceVersion: '{version}' } }),
      del(path, { preconditions: { resourceVersion: '{newer}' } }),
    ],
  },
  {
    name: 'DeleteOptions that are none are refused',
    given: made,
    steps: [
      del(path, { propagationPolicy: 'Sideways' }),
      del(path, { propagationPolicy: 'Orphan', orphanDependents: true }),
      del(path, { kind: 'ConfigMap', apiVersion: 'v1' }),
      del(path, { gracePeriodSeconds: 'long' }),
      del(path, '{'),
      del(`${path}?propagationPolicy=Sideways`),
      del(`${path}?gracePeriodSeconds=long`),
      get(path),
    ],
  },
  {
    name: 'DeleteOptions in the query count as well',
    given: kept,
    steps: [del(`${path}?propagationPolicy=Foreground`)],
  },
  {
    name: 'an object with a finalizer gets a deletionTimestamp and stays until the finalizer is gone',
    given: kept,
    steps: [
      del(path),
      get(path),
      del(path),
      mergePatch(path, { data: { color: 'red' } }),
      mergePatch(path, { metadata: { finalizers: ['example.com/keep', 'example.com/more'] } }),
      mergePatch(path, { metadata: { deletionTimestamp: null } }),
      mergePatch(path, { metadata: { finalizers: null } }),
      get(path),
    ],
  },
  {
    name: 'a PUT without finalizers lets a deleted object go as well',
    given: [...kept, del(path)],
    steps: [put(path, configMap({ last: 'words' })), get(path)],
  },
  {
    name: 'an object that is being deleted cannot be created again',
    given: [...kept, del(path)],
    steps: [post(core('configmaps'), configMap())],
  },
  {
    name: 'a Pod without a node is gone at once, whatever its grace period',
    given: [post(core('pods'), pod({ terminationGracePeriodSeconds: 60 }))],
    steps: [del(core('pods', 'web'), { gracePeriodSeconds: 30 }), get(core('pods', 'web'))],
  },
];
