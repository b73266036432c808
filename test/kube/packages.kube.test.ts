import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { apiFrom, testKubeconfig } from './api.ts';
import { putCrdsOfOthers, removeCrdsOfOthers } from './crds-of-others.ts';
import { frpServer } from './frp-server.ts';
import { kubectl } from './kubectl.ts';

/** What people apply. */
const packages = [
  'deploy',
  'deploy/admission',
  ...readdirSync('deploy/overlays').map((name) => `deploy/overlays/${name}`),
];
const server = frpServer();

/** Of objects that other tests have made in the same cluster. */
const notByKubectl =
  /^Warning: resource \S+ is missing the kubectl.kubernetes.io\/last-applied-configuration annotation/;

before(async () => {
  await putCrdsOfOthers(apiFrom(testKubeconfig()));
  // A dry run makes no namespace for the rest to be in.
  await kubectl('apply', '--filename', 'deploy/base/namespace.yaml');
});
after(async () => {
  server.remove();
  await kubectl('delete', 'jobs', '--namespace=knudge', '--all');
  await removeCrdsOfOthers();
});

test('the API server takes the bundle of OLM, without a warning', () =>
  taken('--filename', 'bundle/manifests', '--namespace=knudge'));

for (const folder of packages) {
  test(`the API server takes ${folder}, without a warning`, { timeout: 120_000 }, () => taken('--kustomize', folder));
}

async function taken(...what: readonly string[]): Promise<void> {
  const { stdout, stderr } = await kubectl('apply', ...what, '--dry-run=server');
  assert.deepEqual(
    stderr.split('\n').filter((line) => line !== '' && !notByKubectl.test(line)),
    [],
  );
  assert.match(stdout, /\(server dry run\)/);
}

test('what is applied is there, and applying it again would change nothing', { timeout: 120_000 }, async () => {
  await kubectl('apply', '--kustomize', 'deploy');
  // Fails where there is any difference.
  assert.equal((await kubectl('diff', '--kustomize', 'deploy')).stdout, '');
});

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly subscriber: Target;
    readonly delivery: { readonly deadLetterSink: Target };
    readonly template: { readonly spec: { readonly containers: readonly [{ readonly env: readonly Variable[] }] } };
    /** Of an EventPolicy. */
    readonly to?: readonly { readonly ref: { readonly kind: string; readonly name: string } }[];
    readonly from?: readonly { readonly sub?: string }[];
  };
}

interface Target {
  readonly ref: { readonly kind: string; readonly name: string };
  readonly audience: string;
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

test('in deploy/overlays/secure each Trigger has a token for its function, which takes it', async () => {
  const { stdout } = await kubectl('kustomize', 'deploy/overlays/secure');
  const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered);
  const settingsOf = (name: string): Readonly<Record<string, string>> => {
    const service = objects.find(
      ({ kind, metadata, spec }) => kind === 'Service' && metadata.name === name && spec.template,
    );
    const [container] = service?.spec.template.spec.containers ?? [];
    return Object.fromEntries((container?.env ?? []).map(({ name: variable, value }) => [variable, value]));
  };
  const policy = (channel: string) =>
    objects.find(
      ({ kind, spec }) =>
        kind === 'EventPolicy' && spec.to?.some(({ ref }) => ref.kind === 'InMemoryChannel' && ref.name === channel),
    );
  const triggers = objects.filter(({ kind }) => kind === 'Trigger');
  assert.ok(triggers.length > 5);
  for (const { metadata, spec } of triggers) {
    const sender = `system:serviceaccount:knudge:${metadata.name}-oidc-eventing.knative.dev-trigger`;
    for (const { ref, audience } of [spec.subscriber, spec.delivery.deadLetterSink]) {
      if (ref.kind === 'InMemoryChannel') {
        // Knative knows the audience of a channel; who may send to it an EventPolicy says.
        assert.ok(
          policy(ref.name)?.spec.from?.some((from) => from.sub === sender),
          `${ref.name} takes no events of ${sender}`,
        );
        continue;
      }
      const { OIDC_AUDIENCE, OIDC_SUBJECTS = '', OIDC_ISSUER = '' } = settingsOf(ref.name);
      assert.equal(audience, OIDC_AUDIENCE);
      assert.ok(OIDC_SUBJECTS.split(/, ?/).includes(sender), `${ref.name} does not take events of ${sender}`);
      assert.match(OIDC_ISSUER, /^https:/);
    }
  }
});
