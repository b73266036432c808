import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeObject } from '../../domain/kube-object.ts';
import { rightsOf, textOfRight } from '../../domain/rights.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const role = (name: string, ...rules: readonly object[]) => ({
  apiVersion: rbac,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});
const binding = (name: string, ...subjects: readonly object[]) => ({
  apiVersion: rbac,
  kind: 'ClusterRoleBinding',
  metadata: { name: `${name}-binding` },
  roleRef: { kind: 'ClusterRole', name },
  subjects,
});
const account = { kind: 'ServiceAccount', namespace: 'knudge', name: 'f' };
const rule = (groups: readonly string[], resources: readonly string[], verbs: readonly string[]) => ({
  apiGroups: groups,
  resources,
  verbs,
});

/** The same of one namespace. */
const inside = (object: KubeObject, namespace: string): KubeObject => ({
  ...object,
  kind: object.kind.slice('Cluster'.length),
  metadata: { ...object.metadata, namespace },
  ...('roleRef' in object && { roleRef: { kind: 'Role', name: object.metadata.name.replace('-binding', '') } }),
});

const cases: readonly { name: string; objects: readonly KubeObject[]; rights: readonly string[] }[] = [
  {
    name: 'each group, resource and verb of a rule',
    objects: [role('a', rule(['', 'apps'], ['pods', 'deployments/scale'], ['get'])), binding('a', account)],
    rights: ['get pods', 'get deployments/scale', 'get pods of apps', 'get deployments/scale of apps'],
  },
  {
    name: 'those of two roles, each once',
    objects: [
      role('a', rule([''], ['pods'], ['get'])),
      role('b', rule([''], ['pods'], ['get', 'list'])),
      binding('a', account),
      binding('b', account),
    ],
    rights: ['get pods', 'list pods'],
  },
  {
    name: 'none by a binding of another account',
    objects: [role('a', rule([''], ['pods'], ['get'])), binding('a', { ...account, namespace: 'other' })],
    rights: [],
  },
  {
    name: 'none by a binding without subjects',
    objects: [role('a', rule([''], ['pods'], ['get'])), binding('a')],
    rights: [],
  },
  {
    name: 'none by a Role of another namespace, whatever its name',
    objects: [inside(role('a', rule([''], ['pods'], ['get'])), 'other'), inside(binding('a', account), 'knudge')],
    rights: [],
  },
  {
    name: 'those for single objects, by name',
    objects: [role('a', { ...rule([''], ['pods'], ['get']), resourceNames: ['x', 'y'] }), binding('a', account)],
    rights: ['get pods x', 'get pods y'],
  },
  {
    name: 'none by a role without rules, which is stored with null',
    objects: [{ ...role('a'), rules: null } as KubeObject, binding('a', account)],
    rights: [],
  },
  {
    name: 'none by a rule for addresses',
    objects: [role('a', { nonResourceURLs: ['/x'], verbs: ['get'] }), binding('a', account)],
    rights: [],
  },
];
for (const { name, objects, rights } of cases) {
  it(`an account has ${name}`, () => {
    assert.deepEqual(rightsOf({ namespace: 'knudge', name: 'f' }, objects).map(textOfRight), rights);
  });
}

it('a right is for the namespace of its binding, also where that lends a ClusterRole', () => {
  const pods = rule([''], ['pods'], ['get']);
  const lent = { ...inside(binding('a', account), 'one'), roleRef: { kind: 'ClusterRole', name: 'a' } };
  const objects = [role('a', pods), lent, inside(role('b', pods), 'two'), inside(binding('b', account), 'two')];
  const rights = rightsOf({ namespace: 'knudge', name: 'f' }, objects);
  assert.deepEqual(
    rights.map(({ namespace }) => namespace),
    ['one', 'two'],
  );
});
