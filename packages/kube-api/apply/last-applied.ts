import { isObject, type Json, type JsonObject, objectAt } from '../json.ts';
import { apiVersionOf, type Kind } from '../schema/kind.ts';
import { compare } from './compare.ts';
import { difference, type FieldSet, noFields } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import { schemaOf } from './shape.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** Bytes that all annotations of an object may have together. */
const maxAnnotations = 256 * 1024;

/** Fields that kubectl's client-side apply set and that are unchanged: its server-side apply has no conflict over them. */
export function lastAppliedFields(kind: Kind, live: JsonObject): FieldSet {
  const config = parse(objectAt(live, 'metadata', 'annotations')[annotation] ?? null);
  if (config['apiVersion'] !== apiVersionOf(kind)) return noFields;
  const schema = schemaOf(kind);
  const { added, removed, modified } = compare(schema, config, live);
  return [modified, added, removed].reduce(difference, fieldsOf(schema, config));
}

/** Keeps the annotation of client-side apply up to date, if the object has it. */
export function annotated(object: JsonObject, applied: JsonObject): JsonObject {
  const annotations = objectAt(object, 'metadata', 'annotations');
  if (typeof annotations[annotation] !== 'string' || annotations[annotation] === '') return object;
  const config = sorted(withoutAnnotation(applied));
  const next = { ...annotations, [annotation]: `${JSON.stringify(config)}\n` };
  const size = Object.entries(next).reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  const { [annotation]: _, ...others } = next;
  const metadata = { ...objectAt(object, 'metadata'), annotations: size > maxAnnotations ? others : next };
  return { ...object, metadata };
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const metadata = objectAt(applied, 'metadata');
  const { [annotation]: _, ...annotations } = objectAt(metadata, 'annotations');
  const { annotations: __, ...rest } = metadata;
  const left = Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
  return { ...applied, metadata: left };
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]));
}

function parse(text: Json): JsonObject {
  try {
    return objectAt(JSON.parse(String(text)) as Json);
  } catch {
    return {};
  }
}
