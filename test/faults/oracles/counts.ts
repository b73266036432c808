import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import { isParent, keyOf, keyOfObject, ownerUidOf, parentsOf, roleKeysOf } from './accessors.ts';
import { type FullChange, historyOf } from './history.ts';
import { inNamespaces } from './same-place.ts';

export interface ObjectCounts {
  /** Creations and deletions by runs, by their effect: an answer that was lost counts, a creation that was refused does not. */
  readonly added: number;
  readonly deleted: number;
  /** Deletions of it by the garbage collector, which a run may come before. */
  readonly collected: number;
  /** How often others made a creation or a deletion necessary. */
  readonly disturbed: number;
  /** How often a person wrote its parent: two wishes can be met one by one or at once. */
  readonly wished: number;
}

export const none: ObjectCounts = { added: 0, deleted: 0, collected: 0, disturbed: 0, wished: 0 };

/** By the object's key; Events are not counted, for they record the way. */
export function countsOf(trace: Trace): ReadonlyMap<string, ObjectCounts> {
  const counts = new Map<string, { -readonly [What in keyof ObjectCounts]: number }>();
  const family = familiesOf(trace);
  for (const change of historyOf(trace).changes) {
    if (change.object.kind === 'Event') continue;
    const key = inNamespaces(trace, keyOfObject(change.object));
    for (const what of meaningOf(change)) {
      for (const member of change.by.who === 'run' || what === 'collected' ? [key] : family(key)) {
        const now = counts.get(member) ?? { ...none };
        now[what] += 1;
        counts.set(member, now);
      }
    }
  }
  return counts;
}

/** What a change counts as. */
function meaningOf(change: FullChange): readonly (keyof ObjectCounts)[] {
  const { by, type, object } = change;
  if (by.who === 'run') return type === 'ADDED' ? ['added'] : isDeletion(change) ? ['deleted'] : [];
  const meanings = {
    collected: isCollected(change),
    disturbed: isDisturbance(change),
    wished: by.who === 'user' && isParent(object),
  };
  return (['collected', 'disturbed', 'wished'] as const).filter((what) => meanings[what]);
}

/** The object goes, or is told to. */
function isDeletion({ type, object, before }: FullChange): boolean {
  if (before?.metadata.deletionTimestamp !== undefined) return false;
  return type === 'DELETED' || object.metadata.deletionTimestamp !== undefined;
}

/** The garbage collector takes what is ours, or a person makes, deletes or changes anything but a label of their own. */
function isDisturbance(change: FullChange): boolean {
  const { by, type, object } = change;
  if (by.who === 'cluster') return isCollected(change);
  return type === 'ADDED' || isDeletion(change) || contentOf(object) !== contentOf(change.before);
}

function isCollected(change: FullChange): boolean {
  return change.by.who === 'cluster' && isDeletion(change) && isOurs(change.object);
}

function isOurs(object: KubeObject): boolean {
  return ownerUidOf(object) !== undefined || object.metadata.labels?.[labels.authority] !== undefined;
}

function contentOf(object: KubeObject | undefined): string {
  if (object === undefined) return '';
  const { labels: all = {}, ownerReferences } = object.metadata;
  const ours = Object.entries(all).filter(([key]) => /knudge|frp\.io|kubernetes\.io/.test(key));
  return JSON.stringify([{ ...object, metadata: undefined, status: undefined }, ours, ownerReferences]);
}

/** The Claims that ever named it. */
function claimKeysOf({ namespace, name }: ObjectRef, { changes, resting }: Trace): readonly string[] {
  const objects = [...resting, ...changes.map(({ object }) => object)].filter(({ kind }) => kind === 'Claim');
  const own = objects.filter((claim) => {
    const services = pick(claim, 'spec', 'services');
    if (pick(claim, 'spec', 'namespace') !== namespace || !Array.isArray(services)) return false;
    return services.some((one) => pick(one, 'name') === name);
  });
  return own.map(keyOfObject);
}

/** The object itself and every child of the parent it belongs to; of all parents for what may be an input of any. */
function familiesOf(trace: Trace): (key: string) => readonly string[] {
  const parents = parentsOf(trace).map((parent) => ({
    key: inNamespaces(trace, keyOf(parent)),
    children: [...roleKeysOf(parent).keys(), ...claimKeysOf(parent, trace)].map((key) => inNamespaces(trace, key)),
  }));
  return (key) => {
    const own = parents.filter(({ key: parent, children }) => parent === key || children.includes(key));
    const concerned = own.length > 0 ? own : parents;
    return [...new Set([key, ...concerned.flatMap(({ children }) => children)])];
  };
}
