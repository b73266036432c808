import { KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject, type ObjectMeta, type ObjectRef } from '../domain/kube-object.ts';

/** The object in an answer; throws `unexpected-answer` if it is another object or not an object. */
export function toObject(body: unknown, ref: ObjectRef): KubeObject {
  const object = fieldsOf(body);
  const metadata = fieldsOf(object?.['metadata']);
  if (object?.['kind'] !== ref.kind || metadata?.['name'] !== ref.name) {
    throw new KnudgeError('unexpected-answer', `${describe(ref)}: the API server answered with something else`);
  }
  return { ...object, apiVersion: ref.apiVersion, kind: ref.kind, metadata: metadata as unknown as ObjectMeta };
}

/** An object of which only metadata was asked for: it comes as PartialObjectMetadata and gets its own kind back. */
export function toMetadata(body: unknown, ref: ObjectRef): KubeObject {
  const { metadata } = toObject(body, { ...ref, kind: 'PartialObjectMetadata' });
  return { apiVersion: ref.apiVersion, kind: ref.kind, metadata };
}

/** One page of a list. */
export interface Page {
  readonly objects: readonly KubeObject[];
  /** Empty on the last page. */
  readonly next: string;
  /** About how many objects come after it; 0 if the API server does not say, as for a selection. */
  readonly remaining: number;
  /** The version of the collection, the same on every page; empty if the API server names none. */
  readonly version: string;
}

/**
 * The items of a list; the API server leaves out apiVersion and kind of built-in ones. An empty list of only metadata has
 * `items: null` (measured on kube-apiserver 1.35).
 */
export function toPage(body: unknown, { apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): Page {
  const list = fieldsOf(body);
  const items = list?.['items'] === null ? [] : list?.['items'];
  if (typeof list?.['kind'] !== 'string' || !list['kind'].endsWith('List') || !Array.isArray(items)) {
    throw new KnudgeError('unexpected-answer', `list of ${kind}: the API server answered with something else`);
  }
  const { continue: token, remainingItemCount: remaining, resourceVersion: version } = fieldsOf(list['metadata']) ?? {};
  return {
    objects: items.map((item: unknown) => toItem(item, apiVersion, kind)),
    next: typeof token === 'string' ? token : '',
    remaining: typeof remaining === 'number' && Number.isSafeInteger(remaining) && remaining > 0 ? remaining : 0,
    version: typeof version === 'string' ? version : '',
  };
}

function toItem(item: unknown, apiVersion: string, kind: string): KubeObject {
  const object = fieldsOf(item);
  const metadata = fieldsOf(object?.['metadata']);
  if (typeof metadata?.['name'] !== 'string') {
    throw new KnudgeError('unexpected-answer', `list of ${kind}: an item has no name`);
  }
  return { ...object, apiVersion, kind, metadata: metadata as unknown as ObjectMeta };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
