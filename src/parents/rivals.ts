import type { KubeObject, ObjectRef } from '../domain/kube-object.ts';
import { claimPrefix } from '../domain/names.ts';
import type { HandlerContext } from '../domain/ports.ts';
import { distributedService } from './kinds.ts';
import { ownerOf } from './owner.ts';

/**
 * Every DistributedService that wants something at its FRP server that this balanced Service says its own wants, or has
 * given up: what one of them gets hangs on all of them.
 */
export async function rivalsOf(
  service: KubeObject | undefined,
  { reader }: Pick<HandlerContext, 'reader'>,
): Promise<readonly ObjectRef[]> {
  const keys = Object.keys(service?.metadata.labels ?? {}).filter((key) => key.startsWith(claimPrefix));
  if (ownerOf(service, distributedService).length === 0) return [];
  const query = { apiVersion: 'v1', kind: 'Service', namespace: '', metadataOnly: true };
  const found = await Promise.all(keys.map((labelSelector) => reader.list({ ...query, labelSelector })));
  return found.flat().flatMap((other) => ownerOf(other, distributedService));
}
