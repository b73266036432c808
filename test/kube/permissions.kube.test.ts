import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Stem } from '../../functions/table.ts';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { aloneStems as stems } from '../build/stems.ts';
import { workOf } from './all-work.ts';
import { type Arena, openArena } from './arena.ts';
import { audited, grantedIn, isForbidden, used } from './audit.ts';
import { type Broker, startBroker } from './broker.ts';
import { objectsIn } from './install.ts';
import { until } from './until.ts';

let arena: Arena;
let broker: Broker;
const user = (stem: Stem): string => `system:serviceaccount:knudge:${stem}`;

/** Other tests take permissions away, and use the same names. */
let since: string;

before(async () => {
  since = new Date().toISOString();
  // Without a source: each function does all of the work alone, so that its own Role is what counts.
  broker = await startBroker();
  arena = await openArena({ withSource: false, env: { K_SINK: broker.url } });
});
after(async () => {
  await arena.close();
  broker.close();
});

function granted(stem: Stem): readonly string[] {
  const roles = objectsIn(`deploy/functions/${stem}.yaml`).filter(
    ({ kind }) => kind === 'ClusterRole' || kind === 'Role',
  ) as (KubeObject & { rules: Parameters<typeof grantedIn>[0] })[];
  return grantedIn(roles.flatMap(({ rules }) => rules));
}

for (const stem of stems) {
  test(`${stem} uses every permission that it is granted, and no other`, { timeout: 120_000 }, async () => {
    await workOf(stem, arena);
    await until(
      'the log of the API server has it all',
      async () => audited(user(stem), since).length > 0 || granted(stem).length === 0,
    );
    const calls = audited(user(stem), since);
    assert.deepEqual(calls.filter(isForbidden), []);
    assert.deepEqual(used(calls), granted(stem));
  });
}

const unneeded = [
  'delete messages',
  'create namespaces',
  'list secrets',
  'watch pods',
  'create pods/exec',
  'update distributedservices',
  'escalate clusterroles',
  'impersonate users',
];
for (const stem of stems) {
  test(`${stem} may not: ${unneeded.join(', ')}`, async () => {
    for (const what of unneeded) {
      const [verb = '', resource = ''] = what.split(' ');
      const [name = '', subresource = ''] = resource.split('/');
      const groups: Readonly<Record<string, string>> = {
        messages: 'myorg.dev',
        distributedservices: 'frp.io',
        clusterroles: 'rbac.authorization.k8s.io',
      };
      const spec = {
        user: user(stem),
        groups: ['system:serviceaccounts'],
        resourceAttributes: { namespace: 'default', verb, group: groups[name] ?? '', resource: name, subresource },
      };
      const { body } = await arena.api('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec },
      });
      assert.equal((body as { status: { allowed: boolean } }).status.allowed, false, what);
    }
  });
}
