import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formerAccounts } from '../../cli/doctor/checks/former.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { accounts } from '../build/accounts.ts';
import { objectsIn } from '../kube/install.ts';
import { filesOf } from './files.ts';

interface Policy extends KubeObject {
  readonly spec: { readonly matchConditions: readonly { readonly name: string; readonly expression: string }[] };
}

const policies = filesOf('deploy/admission', '.yaml')
  .flatMap(objectsIn)
  .filter((one): one is Policy => one.kind === 'ValidatingAdmissionPolicy');

describe('the admission policies', () => {
  it('are three', () => assert.equal(policies.length, 3));

  for (const { metadata, spec } of policies) {
    // Claims are written by one account, and an older version had none.
    const wanted =
      metadata.name === 'knudge-claims' ? ['distributed-service'] : [...accounts.keys(), ...formerAccounts];
    it(`${metadata.name} knows the accounts of the functions that it is about, and no other`, () => {
      const { expression = '' } = spec.matchConditions.find(({ name }) => name.endsWith('by-a-function')) ?? {};
      assert.ok(expression.includes("startsWith('system:serviceaccount:knudge:')"), expression);
      const [, list = ''] = /in \[([^\]]+)\]/.exec(expression) ?? [];
      const named = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name);
      assert.deepEqual(named.sort(), wanted.sort());
    });
  }
});
