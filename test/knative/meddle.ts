import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { issueAuthority, issueLeaf } from '../../src/certificates/issue.ts';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { until } from '../kube/until.ts';
import type { Site } from './site.ts';

/** A step of a JSON patch. */
export interface Step {
  readonly op: 'add';
  readonly path: string;
  readonly value: unknown;
}

export interface Meddled {
  readonly namespace: string;
  /** A selector of labels. */
  readonly selector: Readonly<Record<string, unknown>>;
  /** What becomes of a Pod that is about to be made; it is made when this is known. */
  readonly change: (pod: KubeObject) => Promise<readonly Step[]>;
}

const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
/** Nothing in the cluster waits longer for this test, also where it has died. */
const longestSeconds = 8;

/**
 * Changes Pods of one namespace when they are made, or holds them back for a moment: the API server asks this process.
 * Gives what ends it.
 */
export async function meddle({ api }: Site, name: string, meddled: Meddled): Promise<() => Promise<void>> {
  const { namespace, selector, change } = meddled;
  let asked = 0;
  const { key, certificate, authority } = await certificates();
  const server = createServer({ key, cert: certificate }, (request, response) => {
    asked += 1;
    void (async () => {
      const { request: about } = (await json(request)) as Review;
      const steps = about.dryRun === true ? [] : await change(about.object);
      const patch = Buffer.from(JSON.stringify(steps)).toString('base64');
      const answer = { uid: about.uid, allowed: true, patchType: 'JSONPatch', patch };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
    })().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const caBundle = Buffer.from(authority).toString('base64');
  const webhook = {
    name: `${name}.knudge.test`,
    clientConfig: { url: `https://localhost:${String(port)}/`, caBundle },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'], scope: 'Namespaced' }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    objectSelector: selector,
    failurePolicy: 'Ignore',
    sideEffects: 'None',
    timeoutSeconds: longestSeconds,
    admissionReviewVersions: ['v1'],
  };
  const metadata = { name: `knudge-test-${name}` };
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata,
    webhooks: [webhook],
  };
  await api('DELETE', `${path}/${metadata.name}`);
  const { status, body: told } = await api('POST', path, { body });
  assert.equal(status, 201, JSON.stringify(told));
  // The API server reads its webhooks now and then.
  await until(
    'the API server asks about Pods',
    async () => {
      await api('POST', `/api/v1/namespaces/${namespace}/pods`, { body: probe(selector), query: { dryRun: 'All' } });
      return asked > 0;
    },
    20,
  );
  return async () => {
    await api('DELETE', `${path}/${metadata.name}`);
    server.closeAllConnections();
    server.close();
  };
}

interface Review {
  readonly request: { readonly uid: string; readonly dryRun?: boolean; readonly object: KubeObject };
}

async function certificates() {
  const now = Date.now();
  const life = { notBefore: new Date(now - 60_000).toISOString(), notAfter: new Date(now + 3_600_000).toISOString() };
  const authority = await issueAuthority({ commonName: 'a test of Knudge', ...life });
  const leaf = await issueLeaf({
    authority,
    commonName: 'localhost',
    dnsNames: ['localhost'],
    usage: 'server',
    ...life,
  });
  return { ...leaf, authority: authority.certificate };
}

/** A Pod that the selector means, and that is never made. */
function probe(selector: Meddled['selector']): KubeObject & { readonly spec: unknown } {
  const { matchLabels = {}, matchExpressions = [] } = selector as {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly { readonly key: string; readonly values?: readonly string[] }[];
  };
  const others = matchExpressions.map(({ key, values }) => [key, values?.[0] ?? 'probe']);
  const labels = { ...matchLabels, ...(Object.fromEntries(others) as Record<string, string>) };
  const spec = { containers: [{ name: 'probe', image: 'none' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'probe-', labels } as never, spec };
}

const container = '/spec/containers/0';

/** Nobody puts the Pod on a node, until `openGates`. */
export const unscheduled: readonly Step[] = [
  { op: 'add', path: '/spec/schedulingGates', value: [{ name: 'knudge.dev/test' }] },
];

/** The process of the Pod ends as soon as it has read its settings. */
export const crashing: readonly Step[] = [
  { op: 'add', path: `${container}/env/-`, value: { name: 'LOG_LEVEL', value: 'a level that there is not' } },
];

/** Lets what was `unscheduled` go to a node. */
export async function openGates({ api, list }: Site, namespace: string): Promise<void> {
  const pods = (await list('v1', 'Pod', namespace)) as readonly (KubeObject & {
    readonly spec?: { readonly schedulingGates?: unknown };
  })[];
  for (const { metadata, spec } of pods.filter((pod) => pod.spec?.schedulingGates !== undefined)) {
    assert.ok(spec);
    const path = `/api/v1/namespaces/${namespace}/pods/${metadata.name}`;
    const body = { spec: { schedulingGates: null } };
    const { status } = await api('PATCH', path, { body, contentType: 'application/merge-patch+json' });
    assert.ok(status === 200 || status === 404, `gates of ${metadata.name}: ${String(status)}`);
  }
}
