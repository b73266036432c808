import { claimPrefix } from '../../../../resources/distributed-service/names.ts';
import { isParent } from '../../../../test/faults/oracles/accessors.ts';
import {
  controllerOf,
  describe,
  type KubeObject,
  type ObjectRef,
  refOf,
} from '../../../controller/domain/kube-object.ts';
import { annotations, labels } from '../../../controller/domain/names.ts';
import type { Reader } from '../../../controller/domain/ports.ts';

const kinds = [
  ['myorg.dev/v1', 'Message'],
  ['frp.io/v1beta1', 'DistributedService'],
  ['v1', 'Pod'],
  ['v1', 'Service'],
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['apps/v1', 'Deployment'],
] as const;

type Lister = Pick<Reader, 'list'>;

/**
 * Parents and what Knudge has made for them, each with its labels, owners, finalizers, spec and data; without what two
 * clusters may differ in: uids and what is a hash of them, addresses, keys, and what a scheduler chooses.
 */
export async function shapesOf(reader: Lister, namespace: string): Promise<ReadonlyMap<string, unknown>> {
  const lists = kinds.map(([apiVersion, kind]) => listed(reader, { apiVersion, kind, namespace }));
  const objects = (await Promise.all(lists)).flat();
  const hide = hiding(objects);
  return new Map(objects.filter(isOurs).map((object) => [describe(refOf(object)), hide(shapeOf(object))]));
}

/** A sentence for each object that only one side has, or that is not the same on both. */
export function differences(
  wanted: ReadonlyMap<string, unknown>,
  found: ReadonlyMap<string, unknown>,
): readonly string[] {
  return [...new Set([...wanted.keys(), ...found.keys()])].flatMap((name) => {
    const [left, right] = [wanted.get(name), found.get(name)].map((shape) => JSON.stringify(shape));
    if (left === right) return [];
    if (right === undefined) return [`${name} is missing`];
    return [left === undefined ? `${name} should not be there` : `${name} is not the same: ${left} and ${right}`];
  });
}

/** A list over HTTP says the kind once. */
async function listed(reader: Lister, at: Omit<ObjectRef, 'name'>): Promise<readonly KubeObject[]> {
  const found = await reader.list({ ...at, labelSelector: '' });
  return found.map((object) => ({ ...object, apiVersion: at.apiVersion, kind: at.kind }));
}

/** Not the Pods of a tunnel: those are the ReplicaSet's. */
function isOurs(object: KubeObject): boolean {
  if (isParent(object)) return true;
  const controller = controllerOf(object);
  return object.metadata.labels?.[labels.managedBy] === 'knudge' && (controller === undefined || isParent(controller));
}

function shapeOf(object: KubeObject): unknown {
  const { metadata, kind } = object;
  const { spec, data } = object as { spec?: object; data?: Readonly<Record<string, string>> };
  const owners = (metadata.ownerReferences ?? []).map(({ uid: _, ...owner }) => owner);
  const own = (metadata.finalizers ?? []).filter((one) => one.startsWith('frp.io/'));
  const all = Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(isKept));
  return {
    labels: sorted(all),
    owners,
    finalizers: own,
    spec: sorted(kind === 'Pod' ? { ...spec, nodeName: undefined } : (spec ?? {})),
    data: kind === 'Secret' ? Object.keys(data ?? {}).sort() : sorted(data ?? {}),
    hashed: metadata.annotations?.[annotations.specHash] !== undefined,
  };
}

/** A claim that is let go says so until the next change of its service. */
function isKept([key, value]: readonly [string, string]): boolean {
  return key !== labels.ownerUid && !(key.startsWith(claimPrefix) && value === 'released');
}

/** Keys in their order; where a text is JSON its lists are too, for endpoints are sorted by their addresses. */
function sorted(value: unknown, lists = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => sorted(item, lists));
    return lists ? items.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)) : items;
  }
  if (typeof value === 'string') return value.startsWith('{') ? inOrder(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, item]) => item !== undefined && !given.has(key));
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([k, v]) => [k, sorted(v, lists)]),
  );
}

/** The API server draws them. */
const given: ReadonlySet<string> = new Set(['clusterIP', 'clusterIPs', 'version_info', 'version']);

function inOrder(text: string): unknown {
  try {
    return sorted(JSON.parse(text) as unknown, true);
  } catch {
    return text;
  }
}

function hiding(objects: readonly KubeObject[]): (shape: unknown) => unknown {
  const addresses = objects.flatMap((object) => {
    const { podIP } = ((object as { status?: unknown }).status ?? {}) as { podIP?: string };
    return podIP === undefined ? [] : [[podIP, `{address of ${object.metadata.name}}`] as const];
  });
  return (shape) => {
    const text = addresses.reduce((all, [ip, name]) => all.replaceAll(`"${ip}"`, `"${name}"`), JSON.stringify(shape));
    const plain = text
      .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '{uid}')
      .replaceAll(/\b[\da-f]{32}\b/g, '{hash}')
      .replaceAll(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access');
    return sorted(JSON.parse(plain) as unknown, false);
  };
}
