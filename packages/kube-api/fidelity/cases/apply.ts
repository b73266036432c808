import { apply, type Case, core, get, jsonPatch, mergePatch, post, put, type Step } from '../case.ts';
import { owners } from './apply-steps.ts';
import { configMap } from './bodies.ts';

const path = core('configmaps', 'web');

/** Applies a ConfigMap `web` with these data. */
function applyAs(manager: string, data: Readonly<Record<string, unknown>>, query = ''): Step {
  return applied(manager, configMap(data), query);
}

function applied(manager: string, body: unknown, query = ''): Step {
  return apply(`${path}?fieldManager=${manager}${query}`, body, owners);
}

function putAs(manager: string, data: Readonly<Record<string, unknown>>): Step {
  return put(`${path}?fieldManager=${manager}`, configMap(data), owners);
}

function withMetadata(manager: string, metadata: object): Step {
  return applied(manager, { ...bare, metadata: { ...bare.metadata, ...metadata } });
}

const bare = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } };
const parent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: '{parent}' };

/** Server-side apply of one object by several managers. */
export const applyCases: readonly Case[] = [
  { name: 'an apply creates what is not there', steps: [applyAs('m1', { a: '1' }), get(path)] },
  {
    name: 'an apply of the same writes nothing',
    given: [applyAs('m1', { a: '1' })],
    steps: [applyAs('m1', { a: '1' }), get(path)],
  },
  {
    name: 'an apply without fields owns nothing and has no entry',
    steps: [applied('m1', bare), applied('m1', bare)],
  },
  {
    name: 'a field that is no longer applied is removed',
    given: [applyAs('m1', { a: '1', b: '2' })],
    steps: [applyAs('m1', { a: '1' }), applied('m1', bare)],
  },
  {
    name: 'a field that another manager applied too stays',
    given: [applyAs('m1', { a: '1', b: '2' }), applyAs('m2', { b: '2' })],
    steps: [applyAs('m1', { a: '1' }), applied('m2', bare)],
  },
  {
    name: 'a field that an update of another manager wrote stays',
    given: [applyAs('m1', { a: '1' }), mergePatch(`${path}?fieldManager=m2`, { data: { b: '2' } })],
    steps: [applied('m1', bare)],
  },
  {
    name: 'equal values are shared by those who apply them',
    given: [applyAs('m1', { a: '1' })],
    steps: [applyAs('m2', { a: '1' }), applyAs('m3', { a: '1', b: '2' })],
  },
  {
    name: 'another value is a conflict, and force takes the field over',
    given: [applyAs('m1', { a: '1', b: '2' })],
    steps: [applyAs('m2', { a: '2' }), applyAs('m2', { a: '2' }, '&force=true'), applyAs('m1', { a: '1' })],
  },
  {
    name: 'two fields of one manager are two conflicts',
    given: [applyAs('m1', { a: '1', b: '2', c: '3' })],
    steps: [applyAs('m2', { a: '2', b: '3', c: '3' })],
  },
  {
    name: 'conflicts with an update say its version',
    given: [post(`${core('configmaps')}?fieldManager=m1`, configMap({ a: '1', b: '2' }))],
    steps: [applyAs('m2', { a: '2' }), applyAs('m2', { a: '2', b: '3' }), applyAs('m2', { a: '2' }, '&force=true')],
  },
  {
    name: 'one who updated and applies the same conflicts with itself',
    given: [post(`${core('configmaps')}?fieldManager=m1`, configMap({ a: '1' }))],
    steps: [applyAs('m1', { a: '1' }), applyAs('m1', { a: '2' })],
  },
  {
    name: 'an update takes what it changes from whoever applied it',
    given: [applyAs('m1', { a: '1', b: '2' })],
    steps: [putAs('m2', { a: '2', b: '2' }), putAs('m2', { b: '2' }), applyAs('m1', { a: '1', b: '2' })],
  },
  {
    name: 'a removed field may be applied by another without a conflict',
    given: [applyAs('m1', { a: '1' }), putAs('m2', { b: '2' })],
    steps: [applyAs('m3', { a: '3' })],
  },
  {
    name: 'null and empty maps are applied as such',
    steps: [applied('m1', { ...bare, data: null }), applied('m1', { ...bare, data: {} }), applyAs('m1', { a: null })],
  },
  {
    name: 'labels, annotations and finalizers are owned one by one',
    given: [withMetadata('m1', { labels: { a: '1' }, finalizers: ['x.io/a'] })],
    steps: [
      withMetadata('m2', { labels: { b: '2' }, annotations: { c: '3' }, finalizers: ['x.io/b', 'x.io/a'] }),
      applied('m1', bare),
      mergePatch(path, { metadata: { finalizers: null } }, owners),
    ],
  },
  {
    name: 'an empty map that the server drops is a conflict for the next who applies it',
    given: [applied('m1', { ...bare, data: {} })],
    steps: [applied('m2', { ...bare, data: {} })],
  },
  {
    name: 'owner references are owned by uid, each as a whole',
    given: [
      post(core('configmaps'), { ...bare, metadata: { name: 'parent' } }, { save: { parent: 'metadata.uid' } }),
      withMetadata('m1', { ownerReferences: [{ ...parent, controller: true }] }),
    ],
    steps: [
      withMetadata('m2', { ownerReferences: [parent] }),
      withMetadata('m2', { ownerReferences: [{ ...parent, controller: true }] }),
      withMetadata('m1', {}),
    ],
  },
  {
    name: 'an apply with the resourceVersion of the object is made, with an older one it conflicts',
    given: [post(core('configmaps'), configMap(), { save: { version: 'metadata.resourceVersion' } })],
    steps: [
      applied('m1', configMap({ a: '1' }, { resourceVersion: '{version}' })),
      applied('m1', configMap({ a: '2' }, { resourceVersion: '{version}' })),
    ],
  },
  {
    name: 'an apply with the uid of the object is made, with another it is not',
    given: [post(core('configmaps'), configMap(), { save: { uid: 'metadata.uid' } })],
    steps: [
      applied('m1', configMap({ a: '1' }, { uid: '{uid}' })),
      applied('m1', configMap({ a: '1' }, { uid: 'other' })),
    ],
  },
  { name: 'an apply with a uid creates nothing', steps: [applied('m1', configMap({}, { uid: 'other' })), get(path)] },
  {
    name: 'a dry-run apply shows what would be and keeps nothing',
    given: [applyAs('m1', { a: '1' })],
    steps: [applyAs('m2', { b: '2' }, '&dryRun=All'), get(path)],
  },
  {
    name: 'an apply needs a manager, and its name has limits',
    steps: [
      apply(path, configMap()),
      apply(`${path}?fieldManager=${'x'.repeat(129)}`, configMap()),
      mergePatch(`${path}?force=true`, {}),
    ],
  },
  {
    name: 'the name and namespace in the body must be those of the path',
    steps: [
      applied('m1', { ...bare, metadata: { name: 'other' } }),
      applied('m1', { ...bare, metadata: { name: 'web', namespace: 'other' } }),
      applied('m1', { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } }),
    ],
  },
  {
    name: 'an apply of another kind or version is refused',
    steps: [
      applied('m1', { ...bare, kind: 'Secret' }),
      applied('m1', { ...bare, apiVersion: 'apps/v1' }),
      applied('m1', { metadata: { name: 'web' } }),
    ],
  },
  {
    name: 'managedFields cannot be applied',
    steps: [[], [{}]].map((managedFields) => applied('m1', configMap({}, { managedFields }))),
  },
  {
    name: 'what the schema does not say cannot be applied',
    steps: [
      applied('m1', { ...bare, spec: {} }),
      applied('m1', { ...bare, data: { a: 1 } }),
      applied('m1', { ...bare, data: 'a' }),
      applied('m1', { ...bare, data: ['a'] }),
      applied('m1', { ...bare, immutable: 'yes' }),
      applied('m1', configMap({}, { finalizers: ['x.io/a', 'x.io/a'] })),
      applied('m1', configMap({}, { ownerReferences: ['a'] })),
    ],
  },
  {
    name: 'an apply may be YAML',
    steps: [applied('m1', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  a: "1"\n')],
  },
  {
    name: 'a JSON patch may rename a manager, as a migration from client-side apply does',
    given: [post(`${core('configmaps')}?fieldManager=m1`, configMap({ a: '1', b: '2' }))],
    steps: [
      jsonPatch(
        `${path}?fieldManager=m9`,
        [
          { op: 'replace', path: '/metadata/managedFields/0/operation', value: 'Apply' },
          { op: 'replace', path: '/metadata/managedFields/0/manager', value: 'm2' },
        ],
        owners,
      ),
      applyAs('m2', { a: '1' }),
    ],
  },
];
