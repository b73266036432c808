import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, service } from '../../../../test/build/running-service.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

export const ref = refOf(service);
export const identityRef = childRef('Secret', 'frp-web-identity');

export interface Stored extends KubeObject {
  readonly data: { readonly token: string };
}

export async function identity(cluster: MemoryCluster): Promise<Stored> {
  return ((await cluster.get(identityRef)) as Stored | undefined) ?? assert.fail('there is no identity');
}

/** The token after a change, once nothing is left to do. */
export async function tokenAfter(cluster: MemoryCluster, ...changed: readonly KubeObject[]): Promise<string> {
  for (const one of changed) cluster.put(one);
  for (let pass = 0; (await reconcileOn(cluster, ref)).writes > 0; pass += 1) assert.ok(pass < 4, 'it comes to rest');
  return (await identity(cluster)).data.token;
}

/** By which the gate knows a token, as the status should have it. */
export const digestOf = ({ data }: Stored): string =>
  createHash('sha256').update(Buffer.from(data.token, 'base64')).digest('hex').slice(0, 32);
