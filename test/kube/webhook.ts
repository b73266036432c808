import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { issueAuthority, issueLeaf } from '../../packages/issuing/issue.ts';
import type { apiFrom } from './api.ts';
import { pathOf } from './install.ts';
import { until } from './until.ts';

/** A step of a JSON patch. */
export interface Step {
  readonly op: 'add';
  readonly path: string;
  readonly value: unknown;
}

interface Webhook {
  readonly namespace: string;
  readonly resource: 'pods' | 'deployments';
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  /** A selector of labels. */
  readonly selector: Readonly<Record<string, unknown>>;
  /** What becomes of an object that is about to be stored; it is stored when this is known. */
  readonly change: (object: KubeObject) => Promise<readonly Step[]>;
  /** Whether it changes what is only tried, too. */
  readonly alsoTries?: boolean;
  /** Something that it is asked about, and that is never made. */
  readonly probe: KubeObject;
}

const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
/** Nothing in the cluster waits longer for this test, also where it has died. */
const longestSeconds = 8;

/** A mutating webhook in this process, for objects of one namespace: the API server asks it. Gives what ends it. */
export async function openWebhook(
  api: ReturnType<typeof apiFrom>,
  name: string,
  { namespace, resource, operations, selector, change, alsoTries = false, probe }: Webhook,
): Promise<() => Promise<void>> {
  let asked = 0;
  const { key, certificate, authority } = await certificates();
  const server = createServer({ key, cert: certificate }, (request, response) => {
    asked += 1;
    void (async () => {
      const { request: about } = (await json(request)) as Review;
      const steps = about.dryRun === true && !alsoTries ? [] : await change(about.object);
      const patch = Buffer.from(JSON.stringify(steps)).toString('base64');
      const answer = { uid: about.uid, allowed: true, patchType: 'JSONPatch', patch };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
    })().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A test that fails ends all the same.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const apiGroups = [resource === 'pods' ? '' : 'apps'];
  const webhook = {
    name: `${name}.knudge.test`,
    clientConfig: { url: `https://localhost:${String(port)}/`, caBundle: Buffer.from(authority).toString('base64') },
    rules: [{ apiGroups, apiVersions: ['v1'], resources: [resource], operations, scope: 'Namespaced' }],
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
  const end = async (): Promise<void> => {
    await api('DELETE', `${path}/${metadata.name}`);
    server.closeAllConnections();
    server.close();
  };
  // The API server reads its webhooks now and then.
  const isAsked = async (): Promise<unknown> => {
    const collection = pathOf(probe.apiVersion, probe.kind, { namespace });
    const answer = await api('POST', collection, { body: probe, query: { dryRun: 'All' } });
    return asked > 0 || answer.body;
  };
  await until(`the API server asks about ${resource}`, isAsked, 20).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return end;
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
