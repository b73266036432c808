import type { Change } from '../../../packages/controller/domain/change.ts';
import {
  controllerOf,
  describe,
  type KubeObject,
  type ObjectRef,
} from '../../../packages/controller/domain/kube-object.ts';
import type { Reader } from '../../../packages/controller/domain/ports.ts';
import { ownerOf } from '../../../packages/controller/parents/owner.ts';
import { distributedService } from '../../managed/kinds.ts';
import { childName, claimPrefix } from '../names.ts';

/**
 * The owner of the balanced Service that an event is about, and every other DistributedService of the namespace that names the same
 * workload, or one that the owner no longer scales: the oldest of them scales it.
 *
 * Anybody may write such labels, and send an event that has them. So the Service is read first, then its owner. The Services of others
 * are listed only if the Service belongs to that owner, or is deleted.
 */
export async function scalersOf(
  { ref }: Pick<Change, 'ref'>,
  hint: KubeObject | undefined,
  reader: Reader,
): Promise<readonly ObjectRef[]> {
  if (hint === undefined || labelsOf(hint).length === 0) return ownerOf(hint, distributedService);
  const service = await reader.getMetadata(ref);
  const told = service ?? hint;
  const [owner] = ownerOf(told, distributedService);
  if (owner === undefined || labelsOf(told).length > most) return [];
  const parent = await reader.getMetadata(owner);
  const own = parent === undefined ? [] : [owner];
  const isOurs = service === undefined || (parent !== undefined && controllerOf(service)?.uid === parent.metadata.uid);
  return isOurs ? [...own, ...(await sharing(told, reader))] : own;
}

/** A Service with more labels is not believed. Older versions wrote one label for each path of 64 hosts, which are being released. */
const most = 2 * 65;

/** At most this many labels are looked up. The resync wakes the services of the others. */
const mostBelieved = 4;

/** At most this many services of one workload are woken, the oldest first. */
const mostRivals = 32;

function labelsOf({ metadata }: KubeObject): readonly (readonly [key: string, value: string])[] {
  return Object.entries(metadata.labels ?? {}).filter(([key]) => key.startsWith(claimPrefix));
}

/** The owners of all balanced Services of the namespace that have one of the labels, of those labels that Knudge could have written. */
async function sharing(service: KubeObject, reader: Reader): Promise<readonly ObjectRef[]> {
  const isOurs = ([key, value]: readonly [string, string]): boolean =>
    /^[0-9a-z]{1,13}$/.test(key.slice(claimPrefix.length)) && (value === 'held' || value === 'released');
  const keys = labelsOf(service).flatMap((label) => (isOurs(label) ? [label[0]] : []));
  const query = { apiVersion: 'v1', kind: 'Service', namespace: service.metadata.namespace ?? '', metadataOnly: true };
  const found = await Promise.all(
    keys.slice(0, mostBelieved).map((labelSelector) => reader.list({ ...query, labelSelector })),
  );
  const owners = new Map<string, ObjectRef>();
  for (const one of found.flat().toSorted(byAge)) {
    const [owner] = ownerOf(one, distributedService);
    if (owner !== undefined && one.metadata.name === childName(owner.name, 'balanced'))
      owners.set(describe(owner), owner);
  }
  return [...owners.values()].slice(0, mostRivals);
}

function byAge({ metadata: one }: KubeObject, { metadata: other }: KubeObject): number {
  const [left = '', right = ''] = [one.creationTimestamp, other.creationTimestamp];
  return left < right ? -1 : left > right ? 1 : 0;
}
