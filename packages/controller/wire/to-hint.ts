import { KnudgeError } from '../domain/errors.ts';
import type { KubeObject, ObjectRef } from '../domain/kube-object.ts';

/**
 * The data of an event as the object it must be: the one that the extensions name. What decides whom the event concerns
 * is checked, and `invalid-event` is thrown where it is wrong. Other metadata is left out where it is of another type, and so
 * is null: no code behind this point meets a field that is not of its type.
 */
export function toHint(data: unknown, { apiVersion, kind, namespace, name }: ObjectRef): KubeObject {
  const object = record(data, 'the data');
  const metadata = record(object['metadata'], 'metadata');
  same(object['apiVersion'], apiVersion, 'apiVersion');
  same(object['kind'], kind, 'kind');
  same(metadata['name'], name, 'metadata.name');
  same(metadata['namespace'] ?? '', namespace, 'metadata.namespace');
  for (const field of ['uid', 'resourceVersion', 'deletionTimestamp'])
    optionalText(metadata[field], `metadata.${field}`);
  for (const field of ['labels', 'annotations']) texts(metadata[field], `metadata.${field}`);
  owners(metadata['ownerReferences']);
  const read = readable(metadata);
  return (read === metadata ? object : { ...object, metadata: read }) as unknown as KubeObject;
}

/** The fields that decide nothing, and of what type each is. */
const undeciding: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['generation', (value) => typeof value === 'number'],
  ['creationTimestamp', isText],
  ['finalizers', (value) => Array.isArray(value) && value.every(isText)],
  ['managedFields', (value) => Array.isArray(value) && value.every(isEntry)],
]);

/** The same object where all can be read, which costs nothing: it is so of every event that an API server has caused. */
function readable(metadata: Fields): Fields {
  const wrong = Object.keys(metadata).filter((field) => !isReadable(field, metadata[field]));
  return wrong.length === 0
    ? metadata
    : Object.fromEntries(Object.entries(metadata).filter(([field]) => !wrong.includes(field)));
}

function isReadable(field: string, value: unknown): boolean {
  return value !== null && undeciding.get(field)?.(value) !== false;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Of managedFields. */
function isEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { manager = '', time = '' } = value as Fields;
  return isText(manager) && isText(time);
}

type Fields = Readonly<Record<string, unknown>>;

function record(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw contradiction(`${what} is not an object`);
}

function same(found: unknown, wanted: string, what: string): void {
  if (found !== wanted) throw contradiction(`${what} of the data is not what the extensions say`);
}

function optionalText(value: unknown, what: string): void {
  if (value !== undefined && value !== null && typeof value !== 'string')
    throw contradiction(`${what} is not a string`);
}

function texts(value: unknown, what: string): void {
  if (value === undefined || value === null) return;
  const fields = record(value, what);
  for (const key in fields) {
    if (typeof fields[key] !== 'string') throw contradiction(`${what} holds something that is not a string`);
  }
}

function owners(value: unknown): void {
  if (value === undefined || value === null) return;
  if (!Array.isArray(value)) throw contradiction('metadata.ownerReferences is not a list');
  for (const owner of value) {
    const fields = record(owner, 'an owner reference');
    for (const field of ['apiVersion', 'kind', 'name', 'uid']) {
      if (typeof fields[field] !== 'string') throw contradiction(`an owner reference has no ${field}`);
    }
  }
}

function contradiction(what: string): KnudgeError {
  return new KnudgeError('invalid-event', `the event is not what its type says: ${what}`);
}
