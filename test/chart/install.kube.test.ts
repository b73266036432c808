import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { putCrdsOfOthers, removeCrdsOfOthers } from '../kube/crds-of-others.ts';
import { objectsIn, put } from '../kube/install.ts';
import { kubectl } from '../kube/kubectl.ts';
import { chart, helm } from './helm.ts';

const namespace = 'by-helm';
const release = ['knudge', '--namespace', namespace, '--kubeconfig', testKubeconfig()];
const withoutHook = ['--set', 'firstResync.enabled=false'];

before(async () => {
  const api = apiFrom(testKubeconfig());
  await putCrdsOfOthers(api);
  for (const object of objectsIn('deploy/base/namespace.yaml')) await put(api, object);
});
after(() => removeCrdsOfOthers());

test('Helm has nothing to say against the chart', async () => {
  assert.match(await helm('lint', '--strict', chart), /0 chart\(s\) failed/);
});

test('Helm installs, upgrades and uninstalls it, and the CRDs stay', { timeout: 120_000 }, async () => {
  const owned = ['--take-ownership', ...withoutHook];
  assert.match(await helm('install', ...at(), '--create-namespace', ...owned), /STATUS: deployed/);
  assert.match(await helm('upgrade', ...at(), ...owned, '--set', 'functions.maxScale=7'), /REVISION: 2/);
  const { stdout } = await kubectl(
    'get',
    'services.serving.knative.dev',
    'distributed-service',
    `--namespace=${namespace}`,
    '-oyaml',
  );
  assert.match(stdout, /max-scale: "7"/);
  await helm('uninstall', ...release);
  const left = await kubectl(
    'get',
    'services.serving.knative.dev,triggers.eventing.knative.dev',
    `--namespace=${namespace}`,
  );
  assert.equal(left.stdout, '');
  await kubectl('get', 'crd', 'distributedservices.frp.io', 'messages.myorg.dev');
});

test("Helm changes over to Knudge's own source and back, and leaves nothing of the other", {
  timeout: 120_000,
}, async () => {
  const owned = ['--take-ownership', ...withoutHook];
  await helm('install', ...at(), '--create-namespace', ...owned);
  assert.deepEqual(await sources(), knatives);
  assert.match(
    await helm('upgrade', ...at(), ...owned, '--set', 'source.enabled=true'),
    /get broker,trigger,containersource/,
  );
  assert.deepEqual(await sources(), own);
  await helm('upgrade', ...at(), ...owned);
  assert.deepEqual(await sources(), knatives);
  await helm('uninstall', ...release);
  assert.deepEqual(await sources(), []);
});

const three = ['cluster-objects', 'secret-references', 'source-adapters'];
const knatives = [
  ...three.map((name) => `apiserversource.sources.knative.dev/${name}`),
  ...['cluster-objects', 'secret-references'].map((name) => `clusterrole.rbac.authorization.k8s.io/knudge-${name}`),
  'role.rbac.authorization.k8s.io/knudge-source-adapters',
  ...three.map((name) => `serviceaccount/${name}`),
  'trigger.eventing.knative.dev/source-restarted',
];
const own = [
  'clusterrole.rbac.authorization.k8s.io/knudge-source',
  'containersource.sources.knative.dev/source',
  'networkpolicy.networking.k8s.io/source',
  'persistentvolumeclaim/source',
  'serviceaccount/source',
];

/** All that is there of the one way to have sources or of the other. */
async function sources(): Promise<readonly string[]> {
  const accounts = ['serviceaccounts', 'roles', 'clusterroles'];
  const rest = ['triggers.eventing.knative.dev', 'networkpolicies', 'persistentvolumeclaims'];
  const kinds = ['apiserversources', 'containersources', ...accounts, ...rest];
  const { stdout } = await kubectl('get', kinds.join(), `--namespace=${namespace}`, '--output=name');
  return stdout
    .split('\n')
    .filter((name) => /\/(knudge-)?(cluster-objects|secret-references|source(-adapters|-restarted)?)$/.test(name))
    .sort();
}

/** What the cluster's node says of a Job is that it has succeeded: no container runs there, and no Broker is asked. */
test('the Job of the first resync is a hook, anew with each upgrade', { timeout: 180_000 }, async () => {
  const owned = ['--take-ownership', '--timeout=60s'];
  assert.match(await helm('install', ...at(), '--create-namespace', ...owned), /STATUS: deployed/);
  assert.match(await helm('get', 'hooks', ...release), /^kind: Job\nmetadata:\n {2}name: first-resync-/m);
  assert.doesNotMatch(await helm('get', 'manifest', ...release), /^kind: Job$/m);
  const first = await firstResync();
  assert.equal(first.status.succeeded, 1);
  await helm('upgrade', ...at(), ...owned);
  const second = await firstResync();
  assert.equal(second.status.succeeded, 1);
  assert.notEqual(second.metadata.uid, first.metadata.uid);
  await helm('uninstall', ...release);
  // Helm leaves what its hooks made; the Job itself goes an hour after its end.
  assert.equal((await firstResync()).metadata.uid, second.metadata.uid);
  await kubectl('delete', 'jobs', '--all', `--namespace=${namespace}`);
});

interface Job {
  readonly metadata: { readonly uid: string };
  readonly status: { readonly succeeded?: number };
}

async function firstResync(): Promise<Job> {
  const { stdout } = await kubectl('get', 'jobs', `--namespace=${namespace}`, '--output=json');
  const [job, ...others] = (JSON.parse(stdout) as { readonly items: readonly Job[] }).items;
  assert.ok(job !== undefined && others.length === 0, stdout);
  return job;
}

/** The release and its chart. */
function at(): readonly string[] {
  const [name = '', ...rest] = release;
  return [name, chart, ...rest];
}
