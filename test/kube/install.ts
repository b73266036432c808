import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { apiFrom } from './api.ts';
import { until } from './until.ts';

type Api = ReturnType<typeof apiFrom>;

/** Every object of a YAML file. */
export function objectsIn(path: string): readonly KubeObject[] {
  return parseAllDocuments(readFileSync(path, 'utf8'), { version: '1.1' }).map(
    (document) => document.toJS() as KubeObject,
  );
}

/** For all namespaces: these keep also the functions of an installation in another namespace from what those make. */
const guards = ['knudge-children', 'knudge-claims'];

/**
 * Installs what a function needs in a cluster: the CRDs, established, the admission policies, and the ServiceAccounts of
 * the functions with their Roles. Where Knudge itself is in another namespace than `knudge`, the policies that keep others from its children are away.
 */
export async function install(api: Api, home = 'knudge'): Promise<void> {
  const files = [
    'deploy/base/namespace.yaml',
    'deploy/base/event-log-reader.yaml',
    ...yamlIn('crds'),
    ...yamlIn('deploy/admission'),
    ...yamlIn('deploy/accounts'),
    ...yamlIn('deploy/functions'),
  ];
  // The test's API server knows nothing of Knative.
  const objects = files.flatMap(objectsIn).filter(({ apiVersion }) => !apiVersion.startsWith('serving.knative.dev/'));
  for (const object of objects) {
    const { apiVersion, kind, metadata } = object;
    const isAway = home !== 'knudge' && kind.endsWith('Binding') && guards.includes(metadata.name);
    if (isAway) await api('DELETE', pathOf(apiVersion, kind, metadata));
    else await put(api, object);
  }
  await until('the CRDs are established', async () => {
    const lists = [
      '/apis/frp.io/v1beta1/distributedservices',
      '/apis/frp.io/v1beta1/claims',
      '/apis/myorg.dev/v1/messages',
    ];
    const answers = await Promise.all(lists.map((list) => api('GET', list)));
    return answers.every(({ status }) => status === 200);
  });
}

export function yamlIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .map((name) => `${folder}/${name}`);
}

const plurals: Readonly<Record<string, string>> = {
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  Service: 'services',
  Pod: 'pods',
  Namespace: 'namespaces',
  ServiceAccount: 'serviceaccounts',
  PersistentVolumeClaim: 'persistentvolumeclaims',
  ResourceQuota: 'resourcequotas',
  Deployment: 'deployments',
  StatefulSet: 'statefulsets',
  ReplicaSet: 'replicasets',
  EndpointSlice: 'endpointslices',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  CustomResourceDefinition: 'customresourcedefinitions',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
  ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
  DistributedService: 'distributedservices',
  Message: 'messages',
  Claim: 'claims',
};

/** The path of an object, or of its collection without a name. */
export function pathOf(apiVersion: string, kind: string, at: { namespace?: string; name?: string } = {}): string {
  const plural = plurals[kind];
  if (plural === undefined) throw new Error(`test/kube/install.ts knows no plural of ${kind}: add it`);
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const namespace = at.namespace ? `/namespaces/${at.namespace}` : '';
  return `${group}${namespace}/${plural}${at.name === undefined ? '' : `/${at.name}`}`;
}

/** Applies an object as a person would, by server-side apply; gives it as it is then. */
export async function put<Kind extends KubeObject>(api: Api, object: Kind): Promise<Kind> {
  const { apiVersion, kind, metadata } = object;
  const { status, body } = await api('PATCH', pathOf(apiVersion, kind, metadata), {
    body: object,
    query: { fieldManager: 'person', force: 'true' },
    contentType: 'application/apply-patch+yaml',
  });
  if (status > 299) throw new Error(`${kind} ${metadata.name} was refused: ${JSON.stringify(body)}`);
  return body as Kind;
}
