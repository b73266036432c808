import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { rightsOf, textOfRight } from '../../src/domain/rights.ts';

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
