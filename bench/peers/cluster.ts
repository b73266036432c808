import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { apiFrom } from '../../test/kube/api.ts';
import { objectsIn, put, yamlIn } from '../../test/kube/install.ts';
import { until } from '../../test/kube/until.ts';
import { startCluster } from '../../tools/control-plane/cluster-api.ts';
import { kubeconfigFor } from '../../tools/control-plane/kubeconfig.ts';
import { byWriters, type Kube, kubeOf } from '../mesh/kube.ts';
import type { ContestantName } from './contestants.ts';
import { accounts, elsewhere, namespace, paths, podSpec, unrelatedPod } from './objects.ts';

/** A real API server with everything that the contestants need, each under a user of its own. */
export interface Cluster {
  readonly kube: Kube;
  readonly auditLog: string;
  /** The file with the Pod that all of them make. */
  readonly podSpec: string;
  kubeconfigOf(contestant: ContestantName): string;
  stop(): Promise<void>;
}

/** The user of a contestant in the log of calls. */
export function userOf(contestant: ContestantName): string {
  return `system:serviceaccount:${accounts}:${contestant}`;
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string };
  }[];
  readonly users: readonly {
    readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string };
  }[];
}

export async function openCluster(
  dir: string,
  names: readonly ContestantName[],
  log: (line: string) => void,
): Promise<Cluster> {
  const cluster = await startCluster({ dir, audit: true, log });
  try {
    const { auditLog, kubeconfig } = cluster;
    if (auditLog === undefined)
      throw new Error('calls are counted by the API server: unset KUBEBUILDER_ASSETS and KNUDGE_CLUSTER_KUBECONFIG');
    const [{ server, ca, kube }, api] = [asAdministrator(kubeconfig), apiFrom(kubeconfig)];
    for (const object of ['deploy/base/namespace.yaml', ...yamlIn('crds')].flatMap(objectsIn)) await put(api, object);
    for (const name of [namespace, elsewhere, accounts]) await put(api, namespaceCalled(name));
    const files = new Map<string, string>();
    for (const name of names) {
      const file = join(dir, `${name}.kubeconfig`);
      writeFileSync(file, kubeconfigFor({ server, ca, user: name, token: await tokenOf(kube, name) }), { mode: 0o600 });
      files.set(name, file);
    }
    const podFile = join(dir, 'pod-spec.json');
    writeFileSync(podFile, JSON.stringify(podSpec));
    await until('Messages and Pods can be made', async () => {
      const dryRun = { method: 'POST', path: `${paths.unrelated}?dryRun=All`, body: unrelatedPod('try') } as const;
      return Promise.all([kube.call(dryRun), kube.call({ method: 'GET', path: paths.messages })]).then(() => true);
    });
    return {
      kube,
      auditLog,
      podSpec: podFile,
      kubeconfigOf: (name) => files.get(name) ?? '',
      stop: async () => {
        kube.close();
        await cluster.stop();
      },
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Over connections that stay open, with the client certificate that the control plane has made. */
function asAdministrator(kubeconfig: string): { readonly server: string; readonly ca: Buffer; readonly kube: Kube } {
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const { server = '', 'certificate-authority-data': authority = '' } = clusters[0]?.cluster ?? {};
  const { 'client-certificate-data': cert = '', 'client-key-data': key = '' } = users[0]?.user ?? {};
  const [ca, ...own] = [authority, cert, key].map((text) => Buffer.from(text, 'base64'));
  const agent = new Agent({ keepAlive: true, ...(ca && { ca }), cert: own[0], key: own[1] });
  return { server, ca: ca ?? Buffer.of(), kube: kubeOf({ url: server, request, agent, headers: {} }) };
}

function namespaceCalled(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** Every contestant may do everything: the cost of rights is not compared. */
async function tokenOf(kube: Kube, name: string): Promise<string> {
  const at = `/api/v1/namespaces/${accounts}/serviceaccounts`;
  const metadata = { name, namespace: accounts };
  await kube.call({ method: 'POST', path: at, body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata } });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `bench-${name}` },
    roleRef,
    subjects: [{ kind: 'ServiceAccount', name, namespace: accounts }],
  };
  await kube.call({ method: 'POST', path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', body: binding });
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 86_400 } };
  const answer = await kube.call({ method: 'POST', path: `${at}/${name}/token`, body: asked });
  return (answer as { readonly status: { readonly token: string } }).status.token;
}

/** Removes what a contestant has left; it must have stopped. */
export async function clear(kube: Kube): Promise<void> {
  await kube.call({ method: 'DELETE', path: paths.messages });
  await kube.call({ method: 'DELETE', path: `${paths.pods}?gracePeriodSeconds=0` });
  await until(
    'nothing is left of the last contestant',
    async () => {
      const lists = [paths.messages, paths.pods].map((path) => kube.call({ method: 'GET', path: `${path}?limit=1` }));
      return (await Promise.all(lists)).every(
        (list) => (list as { readonly items: readonly unknown[] }).items.length === 0,
      );
    },
    60,
  );
}

/** Makes this many unrelated Pods, beside those that are there. */
export async function makeUnrelated(
  kube: Kube,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const make = (number: number) =>
    kube.call({ method: 'POST', path: paths.unrelated, body: unrelatedPod(`other-${String(number)}`) });
  await byWriters(numbers, 32, make);
}

export async function removeUnrelated(kube: Kube): Promise<void> {
  await kube.call({ method: 'DELETE', path: `${paths.unrelated}?gracePeriodSeconds=0` });
  await sleep(500);
}
