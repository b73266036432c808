import { isDeepStrictEqual } from 'node:util';
import { type FieldPath, parseYaml } from '../../controller/cluster/yaml.ts';
import { groupOf, type KubeObject } from '../../controller/domain/kube-object.ts';
import type { Json, JsonObject } from '../../kube-api/json.ts';
import { jsonPatch } from '../../kube-api/patch/json.ts';
import type { Manifest } from './documents.ts';
import type { Field } from './field.ts';
import { identityOf } from './order.ts';

/** A change of some objects, as kustomize makes it. */
export interface Patch {
  /** The field that contains it: faults are reported there. */
  readonly field: Field;
  isFor(object: KubeObject): boolean;
  /** Whether it may match nothing: it sets something for objects that only another overlay adds. */
  readonly isOptional: boolean;
  /** The changed object; undefined if it is deleted. Throws its fault. */
  change(object: KubeObject): KubeObject | undefined;
  /** The places of the fields that it sets. */
  placeOf: Manifest['placeOf'];
}

/** A file with a part of an object, which is merged into the object of its kind and name. */
export function patchOfFile(manifest: Manifest, field: Field): Patch {
  const { $patch: directive, ...patch } = manifest.object as KubeObject & { readonly $patch?: unknown };
  const identity = identityOf(patch);
  if (directive !== undefined && directive !== 'delete') field.refuse('is not read locally: $patch may be delete');
  return {
    field,
    isFor: (object) => identityOf(object) === identity,
    isOptional: false,
    change: (object) => {
      if (directive === 'delete') return undefined;
      if (!groupOf(object.apiVersion).endsWith('.knative.dev')) field.refuse(mergedByName);
      return mergeValue(object, patch) as KubeObject;
    },
    placeOf: manifest.placeOf,
  };
}

const mergedByName =
  'kustomize merges the lists of built-in kinds by name, which is not done locally: give a JSON patch, or patch Knative kinds';

/** A JSON patch (RFC 6902) and its target, each part of which is a regular expression for a whole text. */
export function patchOfTarget(item: Field, placeOf: Manifest['placeOf']): Patch {
  const [target, options, text] = [item.at('target'), item.at('options'), item.at('patch')];
  target.allow([...targetParts, 'annotationSelector']);
  options.allow(['allowKindChange', 'allowNameChange']);
  const isDeletion = deletes(text);
  const operations = isDeletion ? [] : operationsIn(text);
  const wanted = targetParts.map((part) => ({ part, pattern: patternOf(target.at(part)) }));
  const isAnnotated = annotationsAsked(target.at('annotationSelector'));
  return {
    field: item,
    isFor: (object) => {
      const parts = partsOf(object);
      return isAnnotated(object) && wanted.every(({ part, pattern }) => pattern.test(parts[part]));
    },
    isOptional: target.at('annotationSelector').isSet,
    change: (object) => {
      if (isDeletion) return undefined;
      const changed = jsonPatch(object as unknown as JsonObject, operations) as unknown as KubeObject;
      const kind = options.at('allowKindChange').value === true ? changed.kind : object.kind;
      const name = options.at('allowNameChange').value === true ? changed.metadata.name : object.metadata.name;
      return { ...changed, kind, metadata: { ...changed.metadata, name } };
    },
    placeOf,
  };
}

const targetParts = ['group', 'version', 'kind', 'name', 'namespace'] as const;

/** `$patch: delete`, with any kind and name beside it: the target says what is deleted. */
function deletes(field: Field): boolean {
  const [document] = parseYaml(field.text()).documents;
  return (document?.value as { readonly $patch?: unknown } | undefined)?.$patch === 'delete';
}

function operationsIn(field: Field): readonly Json[] {
  const { documents, faults } = parseYaml(field.text());
  const operations = documents[0]?.value;
  if (faults.length === 0 && Array.isArray(operations)) return operations;
  field.refuse('is not read locally: give a list of JSON patches');
  return [];
}

/** Of all selectors only `key=value` is supported. */
function annotationsAsked(field: Field): (object: KubeObject) => boolean {
  if (!field.isSet) return () => true;
  const [, key = '', value] = /^([^=!,\s]+)=([^=!,\s]+)$/.exec(field.text()) ?? [];
  if (value === undefined) {
    field.refuse('is not read locally: give key=value');
    return () => false;
  }
  return ({ metadata }) => metadata.annotations?.[key] === value;
}

/** A part that is left out matches everything. */
function patternOf(field: Field): RegExp {
  try {
    return new RegExp(field.isSet ? `^(?:${field.text()})$` : '');
  } catch {
    field.refuse('is not a regular expression');
    return /^/;
  }
}

function partsOf({
  apiVersion,
  kind,
  metadata: { name, namespace = '' },
}: KubeObject): Readonly<Record<(typeof targetParts)[number], string>> {
  return { group: groupOf(apiVersion), version: apiVersion.split('/').at(-1) ?? '', kind, name, namespace };
}

/** The manifests with a patch on them. The place of a field that it changed is in the patch. */
export function patchedBy(manifests: readonly Manifest[], patch: Patch): readonly Manifest[] {
  return manifests.flatMap((below) => {
    if (!patch.isFor(below.object)) return [below];
    const object = changeOf(below.object, patch);
    if (object === undefined) return [];
    const isChanged = (path: FieldPath): boolean =>
      !isDeepStrictEqual(valueAt(below.object, path), valueAt(object, path));
    return [{ object, placeOf: (path) => (path.length > 0 && isChanged(path) ? patch : below).placeOf(path) }];
  });
}

function changeOf(object: KubeObject, patch: Patch): KubeObject | undefined {
  try {
    return patch.change(object);
  } catch {
    patch.field.refuse(`does not fit ${identityOf(object)}`);
    return object;
  }
}

function valueAt(object: KubeObject, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    object,
  );
}

/** RFC 7386, which is what kustomize does for a kind whose schema it does not know. */
function mergeValue(below: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged = new Map(Object.entries(isRecord(below) ? below : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergeValue(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
