import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { DescribedCall } from '../../../packages/controller/testing/calls/describe-call.ts';
import { type ApiAnswer, answerInstead, jsonOf } from '../../../packages/controller/testing/calls/spoilt-answer.ts';

/** What objects were before: for reads that are answered with what is true no more. */
export interface Past {
  /** A version of an object that somebody saw, in any order. */
  saw(object: KubeObject): void;
  /** The object as it was when it went. */
  sawGone(object: KubeObject): void;
  /** What the API server would have said before the last change of what is asked for. */
  answerBefore(call: DescribedCall, now: ApiAnswer): ApiAnswer;
}

interface Version {
  readonly at: number;
  readonly object: KubeObject | undefined;
}

export function createPast(): Past {
  const all = new Map<string, Version[]>();
  const note = (ref: ObjectRef, version: Version): void => {
    const known = all.get(keyOf(ref)) ?? [];
    if (known.some(({ at }) => at === version.at)) return;
    all.set(
      keyOf(ref),
      [...known, version].sort((a, b) => a.at - b.at),
    );
  };
  const versionsOf = (ref: ObjectRef): readonly Version[] => all.get(keyOf(ref)) ?? [];
  return {
    saw: (object) => note(refOf(object), { at: versionOf(object), object }),
    // The version of a deletion is later than that of the object that it took away.
    sawGone: (object) => note(refOf(object), { at: versionOf(object) + 0.5, object: undefined }),
    answerBefore: ({ verb, ref }, now) => {
      if (verb === 'list') return listBefore(now, ref, versionsOf);
      return verb === 'get' ? objectBefore(now, ref, versionsOf(ref)) : now;
    },
  };
}

function keyOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion ?? 0);
}

function objectBefore(now: ApiAnswer, ref: ObjectRef, versions: readonly Version[]): ApiAnswer {
  if (now.status === 404) {
    const last = versions.findLast(({ object }) => object !== undefined)?.object;
    return last === undefined ? now : { ...now, status: 200, text: JSON.stringify(last) };
  }
  const current = jsonOf(now) as KubeObject | undefined;
  if (now.status !== 200 || current === undefined) return now;
  const before = versions.findLast(({ at }) => at < versionOf(current))?.object;
  if (before === undefined) return absent(ref);
  return { ...now, text: JSON.stringify(inFormOf(current, before)) };
}

/** The list without the last change to any of its objects. */
function listBefore(
  now: ApiAnswer,
  { apiVersion, kind, namespace }: ObjectRef,
  versionsOf: (ref: ObjectRef) => readonly Version[],
): ApiAnswer {
  const list = jsonOf(now) as { readonly items?: readonly KubeObject[] } | undefined;
  const items = list?.items ?? [];
  const newest = items.toSorted((a, b) => versionOf(b) - versionOf(a))[0];
  if (now.status !== 200 || newest === undefined) return now;
  const home = newest.metadata.namespace ?? namespace;
  const versions = versionsOf({ apiVersion, kind, namespace: home, name: newest.metadata.name });
  const before = versions.findLast(({ at }) => at < versionOf(newest))?.object;
  const kept = items.flatMap((item) => {
    if (item !== newest) return [item];
    return before === undefined ? [] : [inFormOf(newest, before)];
  });
  return { ...now, text: JSON.stringify({ ...list, items: kept }) };
}

/** Where metadata alone was asked for, metadata alone is given. */
function inFormOf(asked: KubeObject, object: KubeObject): KubeObject {
  if (asked.kind !== 'PartialObjectMetadata') return object;
  return { kind: asked.kind, apiVersion: asked.apiVersion, metadata: object.metadata };
}

function absent({ kind, name }: ObjectRef): ApiAnswer {
  const details = { name, kind };
  return answerInstead({ do: 'answer', status: 404, reason: 'NotFound', message: `"${name}" not found`, details });
}
