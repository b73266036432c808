import type { Change } from '../domain/change.ts';
import { controllerOf, describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import { childName, claimPrefix, mostClaims } from '../domain/names.ts';
import type { Reader } from '../domain/ports.ts';
import { distributedService } from './kinds.ts';
import { ownerOf } from './owner.ts';

/**
 * The owner of the balanced Service that an event is about, and every DistributedService that wants something at its FRP
 * server that this Service says its own wants, or has given up: what one of them gets hangs on all of them.
 *
 * Anybody may write such labels, and send an event that has them. So the Service itself is read before they cost more,
 * and its owner before anybody else is asked after.
 */
export async function claimantsOf(
  { ref }: Pick<Change, 'ref'>,
  hint: KubeObject | undefined,
  reader: Reader,
): Promise<readonly ObjectRef[]> {
  if (hint === undefined || claimsOf(hint).length === 0) return ownerOf(hint, distributedService);
  const service = await reader.getMetadata(ref);
  const told = service ?? hint;
  const [owner] = ownerOf(told, distributedService);
  if (owner === undefined || claimsOf(told).length > mostLabels) return [];
  const parent = await reader.getMetadata(owner);
  const own = parent === undefined ? [] : [owner];
  if (service === undefined) return [...own, ...(await sharing(heldIn(hint).slice(0, mostBelieved), reader))];
  const isOurs = parent !== undefined && controllerOf(service)?.uid === parent.metadata.uid;
  return isOurs ? [...own, ...(await sharing(keysIn(service), reader))] : own;
}

/** What is wanted, what was, and of each the workload that it scales: Knudge writes no more on one Service. */
const mostLabels = 2 * (mostClaims + 1);

/** Of a Service that is gone, where nobody can tell whether there ever was one. Who waits for more hears of it by the resync. */
const mostBelieved = 8;

/** Who wants the same as many others is woken with the oldest of them, as a reconcile looks at the oldest. */
const mostRivals = 32;

/** Lists that are under way at a time. */
const atOnce = 8;

function claimsOf({ metadata }: KubeObject): readonly (readonly [key: string, value: string])[] {
  return Object.entries(metadata.labels ?? {}).filter(([key]) => key.startsWith(claimPrefix));
}

/** Those that Knudge could have written. */
function keysIn(service: KubeObject): readonly string[] {
  const isOurs = ([key, value]: readonly [string, string]): boolean =>
    /^[0-9a-z]{1,13}$/.test(key.slice(claimPrefix.length)) && (value === 'held' || value === 'released');
  return claimsOf(service).flatMap((claim) => (isOurs(claim) ? [claim[0]] : []));
}

function heldIn(service: KubeObject): readonly string[] {
  return keysIn(service).filter((key) => service.metadata.labels?.[key] === 'held');
}

/** The owners of all balanced Services with one of these labels. */
async function sharing(keys: readonly string[], reader: Reader): Promise<readonly ObjectRef[]> {
  const query = { apiVersion: 'v1', kind: 'Service', namespace: '', metadataOnly: true };
  const found: KubeObject[] = [];
  for (let done = 0; done < keys.length; done += atOnce) {
    const some = keys.slice(done, done + atOnce);
    found.push(...(await Promise.all(some.map((labelSelector) => reader.list({ ...query, labelSelector })))).flat());
  }
  const owners = new Map<string, ObjectRef>();
  for (const service of found.toSorted(byAge)) {
    const [owner] = ownerOf(service, distributedService);
    if (owner !== undefined && service.metadata.name === childName(owner.name, 'balanced'))
      owners.set(describe(owner), owner);
  }
  return [...owners.values()].slice(0, mostRivals);
}

function byAge({ metadata: one }: KubeObject, { metadata: other }: KubeObject): number {
  const [left = '', right = ''] = [one.creationTimestamp, other.creationTimestamp];
  return left < right ? -1 : left > right ? 1 : 0;
}
