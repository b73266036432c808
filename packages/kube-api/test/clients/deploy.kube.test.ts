import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPrograms } from './programs.ts';

const chart = 'charts/knudge';
const values = ['--namespace', 'knudge'];
const kinds = 'deploy,pvc,netpol,pdb,services.serving.knative.dev,triggers.eventing.knative.dev';
const account = ['--as', 'system:serviceaccount:knudge:message'];

test('kubectl applies deploy whole, and its admission policies deny', async (context) => {
  const { kubectl, pipe } = await withPrograms(context);
  const said = await kubectl('apply', '-k', 'deploy');
  assert.match(said, /networkpolicy\.networking\.k8s\.io\/nothing-else created/);
  assert.match(said, /persistentvolumeclaim\/event-log created/);
  assert.doesNotMatch(await kubectl('apply', '-k', 'deploy'), /created/);

  await assert.rejects(
    kubectl('create', 'configmap', 'other', ...account),
    /ValidatingAdmissionPolicy 'knudge-itself' with binding 'knudge-itself' denied request: Knudge makes, changes and deletes/,
  );
  const claim = JSON.stringify({
    apiVersion: 'frp.io/v1beta1',
    kind: 'Claim',
    metadata: { name: 'claim-a' },
    spec: {
      server: 'default.default',
      kind: 'Host',
      value: 'web.example.com',
      state: 'Held',
      namespace: 'default',
      services: [{ uid: '1', name: 'web', locations: [] }],
      since: '2026-01-02T03:04:05Z',
    },
  });
  await assert.rejects(
    pipe(claim, 'create', '-f', '-', '--as', 'ann'),
    /knudge-claims' denied request: a Claim says who/,
  );
  await assert.rejects(
    pipe(claim, 'create', '-f', '-', '--as', 'system:serviceaccount:knudge:distributed-service'),
    /knudge-itself' denied request: Knudge keeps Claims in its own namespace/,
  );
  assert.match(await kubectl('create', 'configmap', 'other'), /created/);
});

test('what belongs to Knudge is changed by nobody but Knudge', async (context) => {
  const { kubectl, pipe } = await withPrograms(context);
  await kubectl('apply', '-k', 'deploy');
  const uid = '11111111-2222-4333-8444-555555555555';
  const message = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name: 'hello' }, spec: { text: 'Hello' } };
  await pipe(JSON.stringify(message), 'apply', '-f', '-');
  const found = await kubectl('get', 'message', 'hello', '-o', 'jsonpath={.metadata.uid}');
  const owner = { apiVersion: 'myorg.dev/v1', kind: 'Message', name: 'hello', uid: found || uid, controller: true };
  const labels = { 'knudge.dev/owner-uid': owner.uid, 'app.kubernetes.io/managed-by': 'knudge' };
  const child = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'msg-hello', labels, ownerReferences: [owner] },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'web', image: 'example.com/web:1' }] },
  };
  await pipe(JSON.stringify(child), 'create', '-f', '-', ...account);
  await assert.rejects(
    kubectl('label', 'pod', 'msg-hello', 'color=red', '--as', 'ann'),
    /knudge-children' denied request: this is a child of a DistributedService or a Message, .* Message hello/,
  );
  await assert.rejects(kubectl('delete', 'pod', 'msg-hello', '--as', 'ann'), /knudge-children' denied request/);
  assert.match(await kubectl('delete', 'pod', 'msg-hello', ...account), /deleted/);
});

test('Helm installs, upgrades and uninstalls the chart', async (context) => {
  const { helm, kubectl } = await withPrograms(context);
  assert.match(await helm('install', 'knudge', chart, '--create-namespace', ...values), /STATUS: deployed/);
  assert.match(await kubectl('get', kinds, '-n', 'knudge'), /networkpolicy/);
  // Helm has waited for the Job of the first resync.
  assert.match(await kubectl('get', 'jobs', '-n', 'knudge'), /first-resync-\S+ +Complete +1\/1/);
  assert.match(await helm('upgrade', 'knudge', chart, ...values, '--set', 'functions.maxScale=7'), /REVISION: 2/);
  await helm('rollback', 'knudge', '1', '--namespace', 'knudge');
  assert.match(await helm('uninstall', 'knudge', '--namespace', 'knudge'), /uninstalled/);
  assert.equal(await kubectl('get', 'secrets', '-n', 'knudge', '-o', 'name'), '');
  assert.equal(await kubectl('get', kinds, '-n', 'knudge', '-o', 'name'), '');
});

test('kubectl takes lists, and says which kind it does not know', async (context) => {
  const { pipe } = await withPrograms(context);
  const items = ['a', 'b'].map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }));
  const said = await pipe(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), 'apply', '-f', '-');
  assert.equal(said, 'configmap/a created\nconfigmap/b created\n');
  const nothing = { apiVersion: 'nope.example.com/v1', kind: 'Nope', metadata: { name: 'a' } };
  await assert.rejects(
    pipe(JSON.stringify(nothing), 'apply', '-f', '-'),
    /no matches for kind "Nope" in version "nope\.example\.com\/v1"/,
  );
});
