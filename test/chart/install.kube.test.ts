import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { putCrdsOfOthers, removeCrdsOfOthers } from '../kube/crds-of-others.ts';
import { objectsIn, put } from '../kube/install.ts';
import { kubectl } from '../kube/kubectl.ts';
import { chart, helm } from './helm.ts';

const namespace = 'by-helm';
const release = ['knudge', '--namespace', namespace, '--kubeconfig', testKubeconfig()];
/** No Broker answers here, so the hook would wait for ever. */
const values = ['--set', 'firstResync.enabled=false'];

before(async () => {
  const api = apiFrom(testKubeconfig());
  await putCrdsOfOthers(api);
  for (const object of objectsIn('deploy/base/namespace.yaml')) await put(api, object);
});
after(removeCrdsOfOthers);

test('Helm has nothing to say against the chart', async () => {
  assert.match(await helm('lint', '--strict', chart), /0 chart\(s\) failed/);
});

test('Helm installs, upgrades and uninstalls it, and the CRDs stay', { timeout: 120_000 }, async () => {
  const owned = ['--take-ownership', ...values];
  assert.match(await helm('install', ...at(), '--create-namespace', ...owned), /STATUS: deployed/);
  assert.match(await helm('upgrade', ...at(), ...owned, '--set', 'functions.maxScale=7'), /REVISION: 2/);
  const { stdout } = await kubectl(
    'get',
    'services.serving.knative.dev',
    'pod-changed',
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

/** The release and its chart. */
function at(): readonly string[] {
  const [name = '', ...rest] = release;
  return [name, chart, ...rest];
}
