import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { frpServer } from '../kube/frp-server.ts';
import { put } from '../kube/install.ts';
import { kubectl } from '../kube/kubectl.ts';
import { callsFor, scene } from './reconciled.ts';

const api = apiFrom(testKubeconfig());
const namespace = `restricted-${process.pid}`;
const server = frpServer();
after(server.remove);

interface PodSpec {
  readonly containers?: readonly { readonly name?: string; readonly image?: string }[];
  readonly [field: string]: unknown;
}

before(async () => {
  const labels = {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/warn': 'restricted',
  };
  await put(api, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
});

/** The answer to a Pod that is not stored; the API server admits it, or says why not. */
async function admit(name: string, spec: PodSpec) {
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec };
  return api('POST', `/api/v1/namespaces/${namespace}/pods`, { body, query: { dryRun: 'All' } });
}

/** What Knative makes a Pod of, without the fields that are its own; and what Deployments make one of. */
function podSpec(object: KubeObject): PodSpec | undefined {
  if (object.kind === 'Pod') return (object as unknown as { spec: PodSpec }).spec;
  const { spec } = object as unknown as { spec?: { template?: { spec?: PodSpec } } };
  if (spec?.template?.spec === undefined) return undefined;
  const { containerConcurrency: _, timeoutSeconds: __, serviceAccountName: ___, ...rest } = spec.template.spec;
  const containers = (rest.containers ?? []).map((container, index) => ({ name: `container-${index}`, ...container }));
  return { ...rest, containers };
}

/** Each once, as Knudge writes them for what parents may say. */
async function podsMade(): Promise<readonly PodSpec[]> {
  const given = fc.sample(scene, { numRuns: 40, seed: Number(process.env['KNUDGE_SEED'] || 20_261_122) });
  const calls = (await Promise.all(given.map(callsFor))).flatMap((one) => one.calls);
  const written = calls.filter(({ verb }) => verb === 'create' || verb === 'apply');
  const specs = written.flatMap(({ object }) => {
    const spec = object && podSpec(object);
    return spec === undefined ? [] : [spec];
  });
  return [...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values()];
}

/** As they are applied: an overlay's file alone is half of it. */
async function podsDeployed(): Promise<readonly { readonly name: string; readonly spec: PodSpec }[]> {
  const overlays = readdirSync('deploy/overlays').map((name) => `deploy/overlays/${name}`);
  const found = await Promise.all(
    ['deploy', ...overlays].map(async (folder) => {
      const { stdout } = await kubectl('kustomize', folder);
      const objects = parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
      return objects.flatMap((object) => {
        const spec = podSpec(object);
        return spec === undefined ? [] : [{ name: `${object.kind} ${object.metadata.name} of ${folder}`, spec }];
      });
    }),
  );
  return found.flat();
}

describe('S16: in a namespace that enforces the restricted Pod Security standard', () => {
  it('every Pod that is deployed is admitted, in each overlay', async () => {
    const deployed = await podsDeployed();
    assert.ok(deployed.length >= 50, String(deployed.length));
    for (const { name, spec } of deployed) {
      const { status, body } = await admit('deployed', spec);
      assert.equal(status, 201, `${name}: ${JSON.stringify(body)}`);
    }
  });

  it('every Pod that Knudge makes is admitted, whatever its parent says', async (context) => {
    const specs = await podsMade();
    assert.ok(specs.length > 40);
    for (const spec of specs) {
      const { status, body } = await admit('made', spec);
      assert.equal(status, 201, JSON.stringify(body));
    }
    context.diagnostic(`counted: ${specs.length} Pods that Knudge makes were admitted as restricted, 0 denied`);
  });

  it('a Pod that is not restricted would be denied', async () => {
    const { status, body } = await admit('lax', { containers: [{ name: 'a', image: 'a' }] });
    assert.equal(status, 403, JSON.stringify(body));
  });
});
