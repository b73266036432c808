import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { groupOf, type KubeObject } from '../../domain/kube-object.ts';
import type { FieldPath, YamlDocument } from '../../kube/yaml.ts';
import { type Fault, type Manifest, readDocuments, readObjects } from './documents.ts';
import { type Field, openFields } from './field.ts';
import { identityOf } from './order.ts';

interface Overlay {
  readonly root: string;
  /** Its folder. */
  readonly folder: string;
  /** Folders that are read without it. */
  readonly base: readonly string[];
  /** What a cluster alone has a use for, as `identityOf` says it: patches of it are passed over. */
  readonly passedOver: readonly string[];
  readonly faults: Fault[];
}

/**
 * The manifests with an overlay on them, as `kubectl kustomize` makes it. Of kustomize only `resources` and
 * `patches: [{path}]` of Knative's kinds are known here; everything else is refused.
 */
export function withOverlay(manifests: readonly Manifest[], overlay: Overlay): readonly Manifest[] {
  const file = `${overlay.folder}/kustomization.yaml`;
  const [document] = readDocuments(overlay.root, file, overlay.faults);
  if (document === undefined) return manifests;
  const fields = openFields(manifestOf(document, file), overlay.faults);
  const usual = ['apiVersion', 'kind', 'resources', 'patches'];
  for (const key of fields.keys().filter((one) => !usual.includes(one))) {
    fields.at(key).refuse('is not read locally: an overlay may have resources and patches by path');
  }
  const added = fields
    .at('resources')
    .items()
    .flatMap((item) => addedBy(item, overlay));
  const patches = fields
    .at('patches')
    .items()
    .flatMap((item) => patchesOf(item, overlay))
    .filter(({ object }) => !overlay.passedOver.includes(identityOf(object)));
  let patched: readonly Manifest[] = [...manifests, ...added];
  for (const patch of patches) patched = patchedBy(patched, patch, overlay.faults);
  return patched;
}

/** A base is there already; a file of the overlay's own is new. */
function addedBy(item: Field, { root, folder, base, faults }: Overlay): readonly Manifest[] {
  const path = pathOf(item, folder);
  if (base.some((one) => path === one || path.startsWith(`${one}/`)) && !path.startsWith(`${folder}/`)) return [];
  if (dirname(path) === folder && existsSync(join(root, path))) return readObjects(root, path, faults);
  item.refuse(`${path} is neither in ${base.join(', ')} nor a file beside this one`);
  return [];
}

function patchesOf(item: Field, { root, folder, faults }: Overlay): readonly Manifest[] {
  for (const key of item.keys().filter((one) => one !== 'path')) {
    item.at(key).refuse('is not read locally: put the patch into a file, with the kind and name of what it changes');
  }
  const path = pathOf(item.at('path'), folder);
  if (path.startsWith(`${folder}/`) && existsSync(join(root, path))) return readObjects(root, path, faults);
  item.refuse(`there is no patch ${path}`);
  return [];
}

function pathOf(item: Field, folder: string): string {
  return normalize(`${folder}/${item.text()}`).replace(/\/$/, '');
}

function patchedBy(manifests: readonly Manifest[], patch: Manifest, faults: Fault[]): readonly Manifest[] {
  const fields = openFields(patch, faults);
  const identity = identityOf(patch.object);
  if (!manifests.some(({ object }) => identityOf(object) === identity)) {
    fields.refuse(`patches nothing: there is no ${identity}`);
  }
  if (!groupOf(patch.object.apiVersion).endsWith('.knative.dev')) {
    fields.refuse(
      'kustomize merges the lists of built-in kinds by name, which is not done locally: patch Knative kinds only',
    );
  }
  return manifests.map((manifest) => (identityOf(manifest.object) === identity ? merge(manifest, patch) : manifest));
}

/** A field stands where the patch says it, and where it does not, in the file below. */
function merge(below: Manifest, patch: Manifest): Manifest {
  const isInPatch = (path: FieldPath): boolean => {
    let value: unknown = patch.object;
    for (const key of path) value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
    return value !== undefined;
  };
  return {
    object: mergeValue(below.object, patch.object) as KubeObject,
    placeOf: (path) => (path.length > 0 && isInPatch(path) ? patch : below).placeOf(path),
  };
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

function manifestOf(document: YamlDocument, file: string): Manifest {
  return {
    object: document.value as KubeObject,
    placeOf: (path) => ({ file, line: document.lineOf(path) }),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
