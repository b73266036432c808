import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { apiFrom } from './api.ts';
import { install, put } from './install.ts';
import { kustomized, withKustomization } from './kustomized.ts';

const overlay = 'deploy/overlays/single-namespace';

/** The overlay in a namespace of this name, as docs/install.md tells people to do it. */
export async function singleNamespace(namespace: string): Promise<readonly KubeObject[]> {
  const kustomization = { namespace, resources: [overlay], transformers: [`${overlay}/renamed`] };
  return (await withKustomization(kustomization, kustomized)).map(placed);
}

const policies = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];
const rights = ['Namespace', 'ServiceAccount', 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding', ...policies];

/** Gives a cluster the namespace, the accounts and the rights of the overlay, and the CRDs; nothing else runs there. */
export async function installRights(api: ReturnType<typeof apiFrom>, objects: readonly KubeObject[]): Promise<void> {
  // The CRDs; the rights that come along are those of accounts of another namespace.
  const { name } = objects.find(({ kind }) => kind === 'Namespace')?.metadata ?? { name: 'knudge' };
  await install(api, name);
  for (const kind of rights) for (const object of objects) if (object.kind === kind) await put(api, object);
}

/** The kustomize of some versions of kubectl gives a policy a namespace, which kubectl takes no notice of. */
function placed(object: KubeObject): KubeObject {
  if (!policies.includes(object.kind)) return object;
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The environment of a function, as the overlay has it. */
export function environmentOf(objects: readonly KubeObject[], name: string): Readonly<Record<string, string>> {
  const found = objects.find(
    ({ apiVersion, metadata }) => apiVersion.startsWith('serving.knative.dev/') && metadata.name === name,
  );
  if (found === undefined) throw new Error(`the overlay has no Knative Service ${name}`);
  const { spec } = found as KubeObject & { readonly spec: { readonly template: { readonly spec: Pod } } };
  return Object.fromEntries(
    spec.template.spec.containers.flatMap(({ env }) => env.map(({ name: key, value }) => [key, value])),
  );
}

interface Pod {
  readonly containers: readonly { readonly env: readonly { readonly name: string; readonly value: string }[] }[];
}
