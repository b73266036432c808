import { type Case, core, del, get, mergePatch, post, type Step, until, watch } from '../case.ts';
import { configMap, crd } from './bodies.ts';
import { served, shops } from './served.ts';

const path = core('configmaps', 'web');
const since = (more = '') => `${core('configmaps')}?resourceVersion={now}${more}`;
const made: readonly Step[] = [post(core('configmaps'), configMap({}, { labels: { tier: 'front' } }))];
const now: readonly Step[] = [get(core('secrets'), { save: { now: 'metadata.resourceVersion' } })];
const front = '&labelSelector=tier%3Dfront';
const metadata = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };

/** Watches: types and order of events, where they begin, selectors, bookmarks, what is too old. */
export const watchCases: readonly Case[] = [
  {
    name: 'a watch tells what was added, modified and deleted, in this order',
    given: now,
    steps: [
      watch(since(), 3, [
        post(core('configmaps'), configMap()),
        mergePatch(path, { data: { color: 'red' } }),
        del(path),
      ]),
    ],
  },
  {
    name: 'a watch from a resourceVersion tells what happened since',
    given: [...now, ...made, mergePatch(path, { data: { color: 'red' } })],
    steps: [watch(since(), 2)],
  },
  {
    name: 'a watch without a resourceVersion begins with what is there',
    given: made,
    steps: [watch(`${core('configmaps')}?labelSelector=tier`, 2, [mergePatch(path, { data: { color: 'red' } })])],
  },
  {
    name: 'a watch from resourceVersion 0 begins with what is there',
    given: made,
    steps: [watch(`${core('configmaps')}?resourceVersion=0&labelSelector=tier`, 1)],
  },
  {
    name: 'a watch with a label selector tells of what enters as added and of what leaves as deleted',
    given: [post(core('configmaps'), configMap()), ...now],
    steps: [
      watch(since(front), 4, [
        mergePatch(path, { data: { color: 'unseen' } }),
        mergePatch(path, { metadata: { labels: { tier: 'front' } } }),
        mergePatch(path, { data: { color: 'seen' } }),
        mergePatch(path, { metadata: { labels: { tier: 'back' } } }),
        mergePatch(path, { metadata: { labels: { tier: 'front' } } }),
      ]),
    ],
  },
  {
    name: 'a watch of one name tells of this alone',
    given: [...made, ...now],
    steps: [
      watch(since('&fieldSelector=metadata.name%3Dweb'), 2, [
        post(core('configmaps'), configMap({}, { name: 'other' })),
        mergePatch(path, { data: { color: 'red' } }),
        del(path),
      ]),
    ],
  },
  {
    name: 'a watch of a path with a name tells of this alone',
    given: [...made, ...now],
    steps: [
      watch(`${path}?resourceVersion={now}`, 1, [
        post(core('configmaps'), configMap({}, { name: 'other' })),
        mergePatch(path, { data: { color: 'red' } }),
      ]),
    ],
  },
  {
    name: 'a write that changes nothing is no event',
    given: [...made, ...now],
    steps: [
      watch(since(), 1, [mergePatch(path, { data: { color: 'blue' } }), mergePatch(path, { data: { color: 'red' } })]),
    ],
  },
  {
    name: 'a finalizer makes a deletion a modification first',
    given: [post(core('configmaps'), configMap({}, { finalizers: ['example.com/keep'] })), ...now],
    steps: [watch(since(), 2, [del(path), mergePatch(path, { metadata: { finalizers: null } })])],
  },
  {
    name: 'a watch over all namespaces tells of this one too',
    given: now,
    steps: [watch('/api/v1/configmaps?resourceVersion={now}&fieldSelector=metadata.namespace%3D{ns}', 1, made)],
  },
  {
    name: 'initial events end with a bookmark that says so',
    given: made,
    steps: [
      watch(
        `${core('configmaps')}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=tier`,
        3,
        [until(path, () => true), mergePatch(path, { data: { color: 'red' } })],
      ),
    ],
  },
  {
    name: 'initial events want to know how old they may be',
    steps: [
      get(`${core('configmaps')}?watch=true&sendInitialEvents=true`),
      get(`${core('configmaps')}?watch=true&resourceVersionMatch=NotOlderThan`),
    ],
  },
  {
    name: 'a watch from what is too old ends with 410',
    given: served(crd({})),
    steps: [watch(`${shops}?resourceVersion=1`, 1)],
  },
  {
    name: 'a watch from what is no resourceVersion is refused',
    steps: [
      get(`${core('configmaps')}?watch=true&resourceVersion=first`),
      get(`${core('configmaps')}?watch=true&labelSelector=!!`),
    ],
  },
  {
    name: 'a watch of metadata tells no more than metadata',
    given: now,
    steps: [{ ...watch(since(), 2, [...made, del(path)]), headers: metadata }],
  },
  {
    name: 'a watch of rows tells the columns once',
    given: now,
    steps: [{ ...watch(since(), 2, [...made, mergePatch(path, { data: { more: 'x' } })]), headers: table }],
  },
  {
    name: 'a watch ends when its time is over',
    given: [...made, ...now],
    steps: [watch(since('&timeoutSeconds=1'), 1)],
  },
  {
    name: 'a watch of the path that was for watches once tells the same',
    given: now,
    steps: [watch('/api/v1/watch/namespaces/{ns}/configmaps?resourceVersion={now}', 1, made)],
  },
];
