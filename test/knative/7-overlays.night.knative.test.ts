import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rendered } from '../chart/helm.ts';
import { besideKnative, putCrdsOfOthers, removeCrdsOfOthers } from '../kube/crds-of-others.ts';
import { frpServer } from '../kube/frp-server.ts';
import { kustomized } from '../kube/kustomized.ts';
import { until } from '../kube/until.ts';
import { logHas, openDatabase } from './database.ts';
import { allReady, apply, goBack, kubectl, type Parts } from './installed.ts';
import { home, site } from './site.ts';
import { aMessageIsProcessed, carryOut, doctorIsContent, examined } from './works.ts';

const { api } = site();

describe('the overlay single-namespace, over an installation of deploy', () => {
  const parts: Parts = { resources: ['deploy/overlays/single-namespace'] };
  before(async () => {
    await apply(parts);
    await allReady();
  });
  after(() => goBack(parts));

  it('takes a Message of its namespace through Knative', async () => {
    await aMessageIsProcessed(home);
  });

  it('leaves rights behind, each of which doctor names, and what doctor advises takes them away', async () => {
    const [bindings, roles] = await Promise.all([leftOf('clusterrolebindings'), leftOf('clusterroles')]);
    assert.ok(bindings.length > 7 && roles.length > 7, 'deploy has left its own behind');
    const { findings } = await examined('single-namespace');
    const advice = findings.filter(({ level }) => level !== 'ok');
    for (const name of [...bindings, ...roles]) {
      const named = advice.filter(({ todo = '' }) => todo.endsWith(`delete ${name}`));
      assert.equal(named.length, 1, `doctor names ${name} once, with the command that takes it away`);
    }
    const deletions = advice.flatMap(({ todo = '' }) => (/ delete clusterrole/.test(todo) ? [todo] : []));
    for (const todo of new Set(deletions)) await carryOut(todo);
    assert.deepEqual(await Promise.all([leftOf('clusterrolebindings'), leftOf('clusterroles')]), [[], []]);
    for (const account of ['secret-references', 'cluster-objects', 'distributed-service'])
      assert.equal(await mayListSecrets(account), 'no', `${account} reads Secrets of the whole cluster`);
  });

  it('works without them, and doctor is content', async () => {
    await aMessageIsProcessed(home);
    await doctorIsContent('single-namespace');
    const { findings } = await examined('single-namespace');
    assert.deepEqual(
      findings.filter(({ todo = '' }) => / delete clusterrole/.test(todo)),
      [],
    );
  });
});

/** What of the whole cluster `deploy` has and the overlay has not, as far as it is there: `clusterrole knudge-message`. */
async function leftOf(plural: string): Promise<readonly string[]> {
  const [all, kept] = await Promise.all([kustomized('deploy'), kustomized('deploy/overlays/single-namespace')]);
  const has = (list: typeof all) => new Set(list.map(({ kind, metadata }) => `${kind.toLowerCase()} ${metadata.name}`));
  const names = (await kubectl(['get', plural, '--output=jsonpath={.items[*].metadata.name}'])).split(' ');
  const found = names.map((name) => `${plural.replace(/s$/, '')} ${name}`);
  return found.filter((one) => has(all).has(one) && !has(kept).has(one)).sort();
}

async function mayListSecrets(account: string): Promise<string> {
  const user = `system:serviceaccount:${home}:${account}`;
  const asked = ['auth', 'can-i', 'list', 'secrets', '--all-namespaces', `--as=${user}`];
  return kubectl(asked).then(
    () => 'yes',
    () => 'no',
  );
}

describe('the overlay per-function, over an installation of deploy', () => {
  const parts: Parts = { resources: ['deploy/overlays/per-function'] };
  const made = ['examples/server-profile.yaml', 'examples/tcp-manual-weights.yaml'].flatMap((file) => ['-f', file]);
  const tunnel = ['--namespace', 'default', 'get', 'deployment', 'frp-database', '--ignore-not-found'];
  const uid = (): Promise<string> => kubectl([...tunnel, '--output=jsonpath={.metadata.uid}']);
  before(async () => {
    await apply(parts);
    await allReady();
  });
  after(async () => {
    await kubectl(['--namespace', 'default', 'delete', '--timeout=60s', '--ignore-not-found', ...made]);
    await goBack(parts);
  });

  it('takes a Message through Knative', async () => {
    await aMessageIsProcessed('default');
  });

  it('makes the tunnel of a service, and makes it again when somebody deletes it', async () => {
    await kubectl(['--namespace', 'default', 'apply', ...made]);
    await until('the tunnel is there', async () => (await uid()) !== '', 60);
    const first = await uid();
    await kubectl(['--namespace', 'default', 'delete', 'deployment', 'frp-database', '--wait=false']);
    await until('there is another tunnel', async () => !['', first].includes(await uid()), 60);
  });

  it('leaves the Service of the other cut behind, which doctor names, and is what doctor expects without it', async () => {
    const { findings } = await examined('per-function');
    const advice = findings.flatMap(({ todo = '' }) =>
      todo.endsWith(' delete services.serving.knative.dev distributed-service') ? [todo] : [],
    );
    assert.equal(advice.length, 1, JSON.stringify(findings.filter(({ level }) => level !== 'ok')));
    for (const todo of advice) await carryOut(todo);
    await aMessageIsProcessed('default');
    await doctorIsContent('per-function');
  });
});

describe('the overlay prometheus with postgres, and an FRP server beside it', () => {
  const parts: Parts = {
    resources: ['deploy/overlays/prometheus', 'deploy/frps'],
    components: ['deploy/components/postgres'],
  };
  const certificate = frpServer();
  let closeDatabase: () => Promise<void> = async () => {};
  before(async () => {
    closeDatabase = await openDatabase();
    await putCrdsOfOthers(api, besideKnative);
    await apply(parts);
    await allReady();
  });
  after(async () => {
    await goBack(parts);
    await removeCrdsOfOthers(besideKnative);
    certificate.remove();
    await closeDatabase();
  });

  it('takes a Message through Knative, and the event log keeps its events in the database', async () => {
    await logHas(await aMessageIsProcessed('default'));
  });

  it('is what doctor expects', () => doctorIsContent('postgres'));

  it('is taken by the API server and by the webhooks of Knative as chart and as bundle too', async () => {
    const objects = { apiVersion: 'v1', kind: 'List', items: await rendered({ namespace: { create: true } }) };
    // A Job cannot be changed, and the chart's names another image.
    await kubectl(['--namespace', home, 'delete', 'jobs', '--all']);
    const dry = ['apply', '--dry-run=server', '--server-side', '--force-conflicts'];
    await kubectl([...dry, '--filename', '-'], JSON.stringify(objects));
    await kubectl([...dry, '--filename', 'bundle/manifests', '--namespace', home]);
  });
});
