import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bindingsOf, roleOf } from '../../packages/controller/domain/rights.ts';
import { accountFile, accountOf, accounts } from '../build/accounts.ts';
import { aloneStems } from '../build/stems.ts';
import { together, workOf } from './all-work.ts';
import { type Arena, openArena } from './arena.ts';
import { audited, grantedIn, isForbidden, used } from './audit.ts';
import { type Broker, startBroker } from './broker.ts';
import { objectsIn } from './install.ts';
import { until } from './until.ts';

let arena: Arena;
let broker: Broker;
const user = (account: string): string => `system:serviceaccount:knudge:${account}`;

/** Other tests take permissions away, and use the same names. */
let since: string;

before(async () => {
  since = new Date().toISOString();
  // Without a source: each function does all of the work alone, whatever the others of its account have done.
  broker = await startBroker();
  arena = await openArena({ withSource: false, env: { K_SINK: broker.url } });
});
after(async () => {
  await arena.close();
  broker.close();
});

function granted(account: string): readonly string[] {
  const objects = objectsIn(accountFile(account));
  const roles = bindingsOf({ namespace: 'knudge', name: account }, objects).map((one) => roleOf(one, objects));
  return grantedIn(roles.flatMap((role) => (role?.rules ?? []) as Parameters<typeof grantedIn>[0]));
}

for (const [account, stems] of Map.groupBy(aloneStems, accountOf)) {
  const limit = { timeout: 120_000 * stems.length };
  test(`${account} uses every permission that it is granted, and no other`, limit, async () => {
    for (const some of together(stems)) await Promise.all(some.map((stem) => workOf(stem, arena)));
    await until('the log of the API server has it all', async () => audited(user(account), since).length > 0);
    const calls = audited(user(account), since);
    assert.deepEqual(calls.filter(isForbidden), []);
    assert.deepEqual(used(calls), granted(account));
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
for (const account of accounts.keys()) {
  test(`${account} may not: ${unneeded.join(', ')}`, async () => {
    for (const what of unneeded) {
      const [verb = '', resource = ''] = what.split(' ');
      const [name = '', subresource = ''] = resource.split('/');
      const groups: Readonly<Record<string, string>> = {
        messages: 'myorg.dev',
        distributedservices: 'frp.io',
        clusterroles: 'rbac.authorization.k8s.io',
      };
      const spec = {
        user: user(account),
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
