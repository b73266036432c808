import assert from 'node:assert/strict';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { pathOf, put } from '../kube/install.ts';

/** Where Knudge is installed. */
export const home = 'knudge';

interface At {
  readonly namespace?: string;
  readonly name?: string;
}

/** The cluster with real Knative that `npm run test:knative` has brought up, and what tests do with it. */
export function site() {
  const node = process.env['KNUDGE_TEST_NODE'];
  assert.ok(node, 'these tests need real Knative: npm run test:knative');
  const kubeconfig = testKubeconfig();
  const api = apiFrom(kubeconfig);
  const get = async (apiVersion: string, kind: string, at: At): Promise<KubeObject | undefined> => {
    const { status, body } = await api('GET', pathOf(apiVersion, kind, at));
    return status === 404 ? undefined : (body as KubeObject);
  };
  return {
    /** The folder of the cluster. */
    node,
    kubeconfig,
    api,
    get,
    list: async (apiVersion: string, kind: string, namespace: string): Promise<readonly KubeObject[]> => {
      const { status, body } = await api('GET', pathOf(apiVersion, kind, { namespace }));
      assert.equal(status, 200, `${kind}s of ${namespace}: ${JSON.stringify(body)}`);
      return (body as { items: readonly KubeObject[] }).items;
    },
    put: <Kind extends KubeObject>(object: Kind) => put(api, object),
  };
}

export type Site = ReturnType<typeof site>;
