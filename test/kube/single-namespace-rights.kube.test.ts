import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { serviceOf } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { accountOf } from '../build/accounts.ts';
import { aloneStems } from '../build/stems.ts';
import { together, workOf } from './all-work.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { type Arena, openArena } from './arena.ts';
import { audited, grantedIn, isForbidden, used } from './audit.ts';
import { type Broker, startBroker } from './broker.ts';
import { environmentOf, installRights, singleNamespace } from './single-namespace.ts';
import { until } from './until.ts';

let broker: Broker;

before(async () => {
  broker = await startBroker();
});
after(() => broker.close());

interface Role extends KubeObject {
  readonly rules: Parameters<typeof grantedIn>[0];
}

interface Binding extends KubeObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly kind: string; readonly namespace: string; readonly name: string }[];
}

/** What the Roles of the overlay say of a ServiceAccount; it must have no other kind of right. */
function granted(objects: readonly KubeObject[], namespace: string, account: string): readonly string[] {
  const bindings = objects
    .filter((one): one is Binding => one.kind.endsWith('RoleBinding'))
    .filter(({ subjects }) => subjects.some((one) => one.namespace === namespace && one.name === account));
  assert.deepEqual([...new Set(bindings.map(({ kind, roleRef }) => `${kind} ${roleRef.kind}`))], ['RoleBinding Role']);
  const names = bindings.map(({ roleRef }) => roleRef.name);
  const roles = objects.filter((one): one is Role => one.kind === 'Role' && names.includes(one.metadata.name));
  assert.equal(roles.length, bindings.length);
  return grantedIn(roles.flatMap(({ rules }) => rules));
}

/** What a function asks for, and may, in an installation where it is alone, so that no other one has done its work. */
async function workAlone(stem: (typeof aloneStems)[number]) {
  const since = new Date().toISOString();
  const home = `alone-${stem}-${randomUUID().slice(0, 8)}`;
  const objects = await singleNamespace(home);
  await installRights(apiFrom(testKubeconfig()), objects);
  const env = { ...environmentOf(objects, serviceOf(stem)), K_SINK: broker.url };
  const arena: Arena = await openArena({ withSource: false, stems: [stem], home, env });
  const account = accountOf(stem);
  const who = `system:serviceaccount:${home}:${account}`;
  try {
    await workOf(stem, { ...arena, namespace: async () => home });
    await until('the log of the API server has it all', async () => audited(who, since).length > 0);
  } finally {
    await arena.close();
  }
  const calls = audited(who, since);
  assert.deepEqual(calls.filter(isForbidden), [], stem);
  assert.deepEqual([...new Set(calls.map(({ objectRef }) => objectRef?.namespace))], [home], stem);
  return { calls, granted: granted(objects, home, account) };
}

for (const [account, stems] of Map.groupBy(aloneStems, accountOf)) {
  test(`${account} uses every right that the overlay single-namespace gives it, in that namespace alone`, {
    timeout: 120_000 * stems.length,
  }, async () => {
    const all: Awaited<ReturnType<typeof workAlone>>[] = [];
    for (const some of together(stems)) all.push(...(await Promise.all(some.map(workAlone))));
    assert.deepEqual(used(all.flatMap(({ calls }) => calls)), all[0]?.granted);
  });
}
