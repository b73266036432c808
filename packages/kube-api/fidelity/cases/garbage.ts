import { type Case, core, del, get, group, mergePatch, post, type Step, until } from '../case.ts';
import { configMap } from './bodies.ts';

const path = core('configmaps', 'web');
const other = '11111111-2222-4333-8444-555555555555';
const save = { save: { uid: 'metadata.uid', version: 'metadata.resourceVersion' } };
const made: readonly Step[] = [post(core('configmaps'), configMap(), save)];
const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'web', uid: '{uid}', blockOwnerDeletion: true }];
const owned: readonly Step[] = [...made, post(core('secrets'), { metadata: { name: 'web', ownerReferences } })];
const gone = (_: unknown, code: number) => code === 404;
const ownedByNothing = { ...ownerReferences[0], uid: other };
/**
 * Waits until the garbage collector of the real one knows of all Secrets so far: it hears of them one after the other, and deletes this
 * one as soon as it hears of it. Before that it knows of no object that the deletion of an owner is to wait for, or is to set free.
 */
const known: readonly Step[] = [
  post(core('secrets'), { metadata: { name: 'last', ownerReferences: [ownedByNothing] } }),
  until(core('secrets'), (body) => !JSON.stringify(body).includes('"name":"last"')),
];

/** The garbage collector, and deletion of collections. */
export const garbageCases: readonly Case[] = [
  {
    name: 'with Background the owner goes first and what it owns follows',
    given: owned,
    steps: [del(path, { propagationPolicy: 'Background' }), until(core('secrets', 'web'), gone)],
  },
  {
    name: 'with Foreground the owner waits for what it owns',
    given: [
      ...made,
      post(core('secrets'), { metadata: { name: 'web', ownerReferences, finalizers: ['example.com/keep'] } }),
      ...known,
    ],
    steps: [
      del(path, { propagationPolicy: 'Foreground' }),
      until(core('secrets', 'web'), (body) => JSON.stringify(body).includes('deletionTimestamp')),
      get(path),
      mergePatch(core('secrets', 'web'), { metadata: { finalizers: null } }),
      until(path, gone),
    ],
  },
  {
    name: 'with Orphan what is owned stays and forgets its owner',
    given: [...owned, ...known],
    steps: [
      del(path, { propagationPolicy: 'Orphan' }),
      until(path, gone),
      until(core('secrets', 'web'), (body) => !JSON.stringify(body).includes('ownerReferences')),
    ],
  },
  {
    name: 'an object with two owners stays until both are gone',
    given: [
      ...made,
      post(core('configmaps'), configMap({}, { name: 'second' }), { save: { second: 'metadata.uid' } }),
      post(core('secrets'), {
        metadata: {
          name: 'web',
          ownerReferences: [
            ...ownerReferences,
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'second', uid: '{second}' },
          ],
        },
      }),
    ],
    steps: [
      del(path),
      until(core('secrets', 'web'), (body) => !JSON.stringify(body).includes('"name":"web","uid"')),
      del(core('configmaps', 'second')),
      until(core('secrets', 'web'), gone),
    ],
  },
  {
    name: 'an object whose owner never was is collected',
    steps: [
      post(core('secrets'), {
        metadata: { name: 'web', ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'web', uid: other }] },
      }),
      until(core('secrets', 'web'), gone),
    ],
  },
  {
    name: 'a DELETE of a collection deletes what its selector finds, and shows it',
    given: ['a', 'b', 'c'].map((name) =>
      post(core('configmaps'), configMap({}, { name, labels: { tier: name === 'c' ? 'back' : 'front' } })),
    ),
    steps: [
      del(`${core('configmaps')}?labelSelector=tier%3Dfront`),
      get(`${core('configmaps')}?labelSelector=tier`),
      del(`${core('configmaps')}?labelSelector=tier%3Dnone`),
      del(`${core('configmaps')}?labelSelector=!!`),
    ],
  },
  {
    name: 'a collection of all namespaces and what has no collection cannot be deleted',
    steps: [del('/api/v1/configmaps'), del('/api/v1/namespaces'), post('/api/v1/configmaps', configMap())],
  },
  {
    name: 'what is owned by a Deployment goes with it',
    given: [
      post(group('apps/v1', 'deployments'), {
        metadata: { name: 'web' },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { schedulerName: 'nobody', containers: [{ name: 'web', image: 'a' }] },
          },
        },
      }),
      until(core('pods'), (body) => JSON.stringify(body).includes('ReplicaSet')),
    ],
    steps: [
      del(group('apps/v1', 'deployments', 'web')),
      until(core('pods'), (body) => JSON.stringify(body).includes('"items":[]')),
      until(group('apps/v1', 'replicasets'), (body) => JSON.stringify(body).includes('"items":[]')),
    ],
  },
];
