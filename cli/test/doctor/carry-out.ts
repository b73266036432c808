import assert from 'node:assert/strict';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { appliedBy } from './advice.ts';
import type { Opened } from './cluster.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const group = 'rbac.authorization.k8s.io';
const kinds = ['ClusterRoleBinding', 'RoleBinding', 'ClusterRole', 'Role', 'ServiceAccount'] as const;
const kindOf = (word = ''): string => kinds.find((kind) => kind.toLowerCase() === word) ?? assert.fail(word);

/** Does what kubectl would do with each command of an advice; fails at one that it does not know. */
export async function carryOut(todo: string, cluster: Opened): Promise<void> {
  for (const command of todo.split(' && ')) {
    const [, namespace, words = ''] = /^kubectl (?:--namespace (\S+) )?(.*)$/.exec(command) ?? [];
    // Of no use here: nothing runs in this cluster, and what its controllers would do is done by settle().
    if (/^(wait|delete pod|rollout restart) /.test(words)) continue;
    if (words.startsWith('scale ')) await scale(words, namespace, cluster);
    else if (/^echo |^kubectl apply /.test(command)) for (const object of appliedBy(command)) await cluster.put(object);
    else await changeBinding(words, namespace, cluster);
  }
}

async function scale(words: string, namespace = '', { put, look }: Opened): Promise<void> {
  const [, name = ''] = /^scale deployment (\S+) --replicas=1$/.exec(words) ?? assert.fail(words);
  const found = await look.get(
    { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments' },
    { namespace, name },
  );
  assert.ok(found, name);
  const { spec } = found as KubeObject & { readonly spec: object };
  await put({ ...found, metadata: { namespace, name }, spec: { ...spec, replicas: 1 } } as KubeObject);
}

async function changeBinding(words: string, own: string | undefined, { put, remove, look }: Opened): Promise<void> {
  const [verb, word, name = ''] = words.split(' ');
  const metadata = { name, ...(own !== undefined && { namespace: own }) };
  const apiVersion = word === 'serviceaccount' ? 'v1' : rbac;
  if (verb === 'delete') await remove({ apiVersion, kind: kindOf(word), metadata });
  else if (verb === 'create') await put(bindingOf(words, { kind: kindOf(word), metadata }));
  else if (verb === 'set') await put(await named(words, metadata, look));
  else assert.fail(`nobody can carry out: ${words}`);
}

type Named = Pick<KubeObject, 'kind' | 'metadata'>;

function bindingOf(words: string, object: Named): KubeObject {
  const { role = '', kind = '' } = / --(?<kind>clusterrole|role)=(?<role>\S+)/.exec(words)?.groups ?? {};
  const roleRef = { apiGroup: group, kind: kindOf(kind), name: role };
  return { apiVersion: rbac, ...object, roleRef, subjects: [subjectIn(words)] } as KubeObject;
}

/** `set subject rolebinding NAME`: the binding that is there, with one subject more. */
async function named(words: string, { namespace }: KubeObject['metadata'], look: Opened['look']): Promise<KubeObject> {
  const [, , word = '', name = ''] = words.split(' ');
  const kind = kindOf(word);
  const at = { name, ...(namespace !== undefined && { namespace }) };
  const found = await look.get({ apiVersion: rbac, kind, plural: `${kind.toLowerCase()}s` }, at);
  assert.ok(found, name);
  const { apiVersion, metadata: _, ...rest } = found as KubeObject & { readonly subjects?: readonly object[] };
  return { apiVersion, ...rest, metadata: at, subjects: [...(rest.subjects ?? []), subjectIn(words)] } as KubeObject;
}

function subjectIn(words: string): object {
  const [, namespace, name] = / --serviceaccount=([^:\s]+):(\S+)/.exec(words) ?? assert.fail(words);
  return { kind: 'ServiceAccount', namespace, name };
}
