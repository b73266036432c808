import assert from 'node:assert/strict';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { object } from '../build/objects.ts';
import { type AdmissionRow, administrator } from './admission-rows.ts';
import type { Answer, Impersonated } from './api.ts';
import type { Arena } from './arena.ts';
import { pathOf } from './install.ts';

interface Place {
  readonly arena: Arena;
  readonly namespace: string;
}

const knudge = { user: 'system:serviceaccount:knudge:distributed-service', groups: ['system:masters'] };
const child = { 'knudge.dev/owner-uid': 'x', 'app.kubernetes.io/managed-by': 'knudge' };

/** The objects that the rows are about, beside the children of `web` and `hello`. */
export async function putObjects({ arena, namespace }: Place): Promise<void> {
  const container = { name: 'app', image: 'app:1' };
  const objects = [
    object('ConfigMap', 'half-a-child', {
      metadata: { namespace, labels: { 'app.kubernetes.io/managed-by': 'knudge' } },
    }),
    object('ConfigMap', 'of-another-manager', {
      metadata: { namespace, labels: { ...child, 'app.kubernetes.io/managed-by': 'x' } },
    }),
    object('ConfigMap', 'without-owner', { metadata: { namespace, labels: child } }),
    object('ConfigMap', 'going', { metadata: { namespace, labels: child, finalizers: ['example.com/stays'] } }),
    object('Pod', 'of-nobody', { metadata: { namespace, labels: child }, spec: { containers: [container] } }),
    object('Service', 'plain', { metadata: { namespace, labels: { app: 'x' } }, spec: { clusterIP: 'None' } }),
    object('Service', 'bare', { metadata: { namespace }, spec: { clusterIP: 'None' } }),
  ];
  for (const one of objects) await arena.put(one);
  // An owner that there is not would have its Pod collected; this one makes no Pods, and the Pod is not one of those it counts.
  const set = await arena.api('POST', `/apis/apps/v1/namespaces/${namespace}/replicasets`, {
    body: {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'set' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'set' } },
        template: { metadata: { labels: { app: 'set' } }, spec: { containers: [container] } },
      },
    },
  });
  const { uid = '' } = (set.body as KubeObject).metadata;
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid };
  const metadata = { namespace, labels: child, ownerReferences: [owner] };
  await arena.put(object('Pod', 'of-a-set', { metadata, spec: { containers: [container] } }));
  const going = await arena.api('DELETE', pathOf('v1', 'ConfigMap', { namespace, name: 'going' }), { as: knudge });
  assert.equal(going.status, 200, JSON.stringify(going.body));
}

/** Asks as a row says. */
export async function ask(place: Place, row: AdmissionRow): Promise<Answer> {
  const { arena, namespace } = place;
  const {
    does,
    to: [apiVersion, kind, name],
    subresource,
    body,
  } = row;
  const as = row.as === 'the node of msg-hello' ? await nodeOf(place, 'msg-hello') : (row.as ?? administrator);
  const one = `${pathOf(apiVersion, kind, { namespace, name })}${subresource === undefined ? '' : `/${subresource}`}`;
  const call = { as, query: { dryRun: 'All' } };
  switch (does) {
    case 'patch':
      return arena.api('PATCH', one, { ...call, body, contentType: 'application/merge-patch+json' });
    case 'delete':
      return arena.api('DELETE', one, call);
    case 'create': {
      if (subresource !== undefined) return arena.api('POST', one, { ...call, body });
      const { metadata } = (body ?? {}) as { metadata?: object };
      const made = object(kind, name, { metadata: { ...metadata, namespace }, spec: { clusterIP: 'None' } });
      return arena.api('POST', pathOf(apiVersion, kind, { namespace }), { ...call, body: made });
    }
    case 'update': {
      const { metadata, ...rest } = (await arena.get(apiVersion, kind, { namespace, name })) ?? assert.fail(name);
      const { metadata: more } = body as { metadata: object };
      return arena.api('PUT', one, { ...call, body: { ...rest, metadata: { ...metadata, ...more } } });
    }
  }
}

/** A node may touch the Pods alone that are on it. */
async function nodeOf({ arena, namespace }: Place, name: string): Promise<Impersonated> {
  const pod = await arena.get('v1', 'Pod', { namespace, name });
  const { nodeName } = (pod as { readonly spec?: { readonly nodeName?: string } } | undefined)?.spec ?? {};
  if (nodeName === undefined) throw new Error(`Pod ${name} is on no node`);
  return { user: `system:node:${nodeName}`, groups: ['system:nodes', 'system:authenticated'] };
}
