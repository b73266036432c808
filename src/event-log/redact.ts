import { notKept, redactText } from '../domain/redact-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is kept of a Secret; in Reference mode its name and namespace stand beside its kind. */
const ofSecret = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'type',
  'immutable',
  'name',
  'namespace',
  'uid',
  'resourceVersion',
]);

/** Of its metadata all but annotations, where tools keep copies of the object, and managedFields, which name its keys. */
const ofSecretMetadata = new Set([
  ...['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'generateName', 'labels', 'finalizers'],
  ...['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'ownerReferences', 'selfLink'],
]);

/** As deep as the data of an event may nest. */
const deepest = 64;

/**
 * The data of an event as it is kept: no Secret's data, wherever the Secret stands and however it is wrapped. `kind` is
 * what the event says it is about: then the data is that object, whatever it says itself. Undefined where nothing may stay.
 */
export function redactData(data: unknown, kind: string | undefined): unknown {
  if (!isSecretKind(kind)) return redact(data, 0);
  return isFields(data) ? redactSecret(data, 0) : undefined;
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (depth > deepest) return notKept;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (!isFields(value)) return value;
  return isSecret(value) ? redactSecret(value, depth) : redactFields(value, depth);
}

function redactFields(object: Fields, depth: number): Fields {
  return Object.fromEntries(Object.entries(object).map(([field, value]) => [field, redact(value, depth + 1)]));
}

/** Of a list of Secrets its items too, which need not say their kind. */
function redactSecret(object: Fields, depth: number): Fields {
  const { items } = object as { readonly items?: unknown };
  const kept = Object.entries(object).filter(([field]) => ofSecret.has(field));
  const fields = kept.map(([field, value]) => [
    field,
    field === 'metadata' ? metadataOf(value) : redact(value, depth + 1),
  ]);
  if (Array.isArray(items))
    fields.push(['items', items.map((item) => (isFields(item) ? redactItem(item, depth) : notKept))]);
  return Object.fromEntries(fields);
}

function redactItem(item: Fields, depth: number): unknown {
  return depth > deepest ? notKept : redactSecret(item, depth + 1);
}

function metadataOf(metadata: unknown): unknown {
  if (!isFields(metadata)) return notKept;
  const kept = Object.entries(metadata).filter(([field]) => ofSecretMetadata.has(field));
  return Object.fromEntries(kept.map(([field, value]) => [field, redact(value, 0)]));
}

/** One that does not say its kind is one where it has data and metadata: in doubt its data is not kept. */
function isSecret(object: Fields): boolean {
  const { kind, metadata, data, stringData } = object as Record<'kind' | 'metadata' | 'data' | 'stringData', unknown>;
  if (stringData !== undefined) return true;
  if (typeof kind === 'string' && kind !== '') return isSecretKind(kind);
  return data !== undefined && metadata !== undefined;
}

function isSecretKind(kind: unknown): boolean {
  return typeof kind === 'string' && /^secret(list)?$/i.test(kind);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
