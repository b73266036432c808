import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { objectsIn, yamlIn } from '../../../test/kube/install.ts';
import { judgePolicies } from '../../doctor/checks/policies.ts';
import { empty, judged, wanting } from './scene.ts';

const all = yamlIn('deploy/admission').flatMap(objectsIn) as readonly Thing[];
const as = (from: string, to: string) => JSON.parse(JSON.stringify(all).replaceAll(from, to)) as readonly Thing[];
const isBinding = ({ kind }: Thing): boolean => kind.endsWith('Binding');
const missing = ['knudge-itself', 'knudge-children', 'knudge-claims'].map(
  (name) => `warning ValidatingAdmissionPolicy ${name} is not there for namespace knudge`,
);
const inForce = (end = '') =>
  ['knudge-itself', 'knudge-children', 'knudge-claims'].map(
    (name) => `ok ValidatingAdmissionPolicy ${name}${end} is in force`,
  );

const rows: readonly [name: string, policies: readonly Thing[] | undefined, wanted: readonly string[]][] = [
  ['a mesh on this machine has none', undefined, []],
  ['those of deploy are in force', all, inForce()],
  ['those of the overlay single-namespace too', as('"knudge-', '"x-').map(renamed), inForce('.knudge')],
  ['without one each is missed', [], missing],
  [
    'those of another installation are not these',
    as('system:serviceaccount:knudge:', 'system:serviceaccount:other:'),
    missing,
  ],
  [
    'without a binding none refuses',
    all.filter((one) => !isBinding(one)),
    ['knudge-itself', 'knudge-children', 'knudge-claims'].map(
      (name) => `warning ValidatingAdmissionPolicy ${name} has no binding that refuses`,
    ),
  ],
  [
    'a binding that only warns refuses nothing',
    as('"Deny"', '"Warn"'),
    ['knudge-itself', 'knudge-children', 'knudge-claims'].map(
      (name) => `warning ValidatingAdmissionPolicy ${name} has no binding that refuses`,
    ),
  ],
];

/** As deploy/components/single-namespace names them. */
function renamed(one: Thing): Thing {
  return JSON.parse(JSON.stringify(one).replaceAll(/"x-(itself|children|claims)"/g, '"knudge-$1.knudge"')) as Thing;
}

describe('the admission policies, as doctor sees them', () => {
  for (const [name, policies, wanted] of rows) {
    judged({ name, found: judgePolicies({ ...empty, policies: { value: policies } }, wanting()), wanted });
  }

  it('are not checked where they may not be read', () => {
    const [found] = judgePolicies({ ...empty, policies: { why: 'forbidden' } }, wanting());
    assert.deepEqual(found, { level: 'unchecked', what: 'not checked: the admission policies (forbidden)' });
  });

  it('come back by the file of each where deploy was applied as it is, else by the kustomization', () => {
    const seen = { ...empty, policies: { value: [] } };
    const [first] = judgePolicies(seen, { ...wanting(), fileOf: () => undefined });
    assert.equal(first?.todo, 'kubectl apply -f deploy/admission/itself.yaml');
    assert.equal(judgePolicies(seen, wanting())[0]?.todo, 'apply your kustomization again: kubectl apply -k .');
  });
});
