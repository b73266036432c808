import { type Case, core, get, post, put, type Step } from '../case.ts';
import { configMap } from './bodies.ts';

const path = core('configmaps', 'web');
const made: readonly Step[] = [
  post(core('configmaps'), configMap(), { save: { uid: 'metadata.uid', version: 'metadata.resourceVersion' } }),
];
const other = '11111111-2222-4333-8444-555555555555';

/** PUT, optimistic concurrency and writes that change nothing. */
export const updateCases: readonly Case[] = [
  {
    name: 'a PUT replaces the whole object, and another writer becomes an owner of what it changed',
    given: [post(core('configmaps'), configMap({ color: 'blue', size: 'small' }, { labels: { app: 'web' } }))],
    steps: [put(`${path}?fieldManager=ann`, configMap({ color: 'red' }, { annotations: { note: 'x' } })), get(path)],
  },
  {
    name: 'a PUT to a name that is not there is not found, and creates nothing',
    steps: [put(core('configmaps', 'web'), configMap()), get(path)],
  },
  {
    name: 'a PUT with the resourceVersion as read is taken, and refused when it is used again',
    given: made,
    steps: [
      put(path, configMap({ color: 'red' }, { resourceVersion: '{version}' })),
      put(path, configMap({ color: 'green' }, { resourceVersion: '{version}' })),
      get(path),
    ],
  },
  {
    name: 'a PUT with another uid is refused',
    given: made,
    steps: [put(path, configMap({}, { uid: other })), put(path, configMap({}, { uid: '{uid}' }))],
  },
  {
    name: 'a resourceVersion that is no number is refused',
    given: made,
    steps: [put(path, configMap({}, { resourceVersion: 'first' }))],
  },
  {
    name: 'a PUT of the same object changes nothing, not even its resourceVersion',
    given: made,
    steps: [put(path, configMap()), put(path, configMap({ color: 'blue' })), get(path)],
  },
  {
    name: 'a PUT keeps what only the server may say',
    given: made,
    steps: [
      put(
        path,
        configMap(
          { a: 'b' },
          {
            creationTimestamp: '2001-01-02T03:04:05Z',
            generation: 9,
            deletionTimestamp: '2001-01-02T03:04:05Z',
            deletionGracePeriodSeconds: 3,
          },
        ),
      ),
    ],
  },
  {
    name: 'an immutable ConfigMap keeps its data but not its labels',
    given: [post(core('configmaps'), { ...configMap(), immutable: true })],
    steps: [
      put(path, { ...configMap({ color: 'red' }), immutable: true }),
      put(path, configMap()),
      put(path, { ...configMap({ color: 'blue' }, { labels: { app: 'web' } }), immutable: true }),
    ],
  },
  {
    name: 'the type of a Secret cannot change',
    given: [post(core('secrets'), { metadata: { name: 'web' }, data: { a: 'YQ==' } })],
    steps: [put(core('secrets', 'web'), { metadata: { name: 'web' }, type: 'example.com/own', data: { a: 'YQ==' } })],
  },
];

/** The controller may have counted replicas already. */
