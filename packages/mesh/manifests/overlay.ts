import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { YamlDocument } from '../../controller/cluster/yaml.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { type Fault, type Manifest, readDocuments, readObjects } from './documents.ts';
import { type Field, openFields } from './field.ts';
import { generatedBy } from './generated.ts';
import { type Patch, patchedBy, patchOfFile, patchOfTarget } from './patch.ts';

interface Overlay {
  readonly root: string;
  /** Its folder. */
  readonly folder: string;
  /** Folders that are read also without the overlay. */
  readonly base: readonly string[];
  /** Objects that only a cluster needs: patches of them are skipped. */
  readonly passedOver: readonly KubeObject[];
  readonly faults: Fault[];
}

/**
 * The manifests with an overlay on them, as `kubectl kustomize` makes it. It knows kustomize's `resources`, `components`, `patches`,
 * ConfigMaps that are made of files, and the usual `namespace`, and refuses everything else.
 */
export function withOverlay(manifests: readonly Manifest[], overlay: Overlay): readonly Manifest[] {
  const file = `${overlay.folder}/kustomization.yaml`;
  const [document] = readDocuments(overlay.root, file, overlay.faults);
  if (document === undefined) return manifests;
  const kustomization = manifestOf(document, file);
  const fields = openFields(kustomization, overlay.faults);
  const usual = ['apiVersion', 'kind', 'namespace', 'resources', 'components', 'patches', 'configMapGenerator'];
  for (const key of fields.keys().filter((one) => !usual.includes(one))) {
    fields.at(key).refuse('is not read locally: an overlay may have resources, components and patches');
  }
  const items = (key: string): readonly Field[] => fields.at(key).items();
  const added = items('resources').flatMap((item) => addedBy(item, overlay));
  const generated = items('configMapGenerator').map((item) =>
    generatedBy(item, { root: overlay.root, folder: overlay.folder, manifest: kustomization }),
  );
  const below = items('components').reduce<Layers>(
    (layers, item) => withComponent(layers, item, overlay),
    [...manifests, ...added, ...generated],
  );
  const patches = items('patches').flatMap((item) => patchesOf(item, kustomization, overlay));
  const patched = patches.reduce((layers, patch) => withPatch(layers, patch, overlay), below);
  checkNamespace(fields.at('namespace'), patched);
  return patched;
}

type Layers = readonly Manifest[];

function withComponent(manifests: Layers, item: Field, overlay: Overlay): Layers {
  const folder = pathOf(item, overlay.folder);
  if (existsSync(join(overlay.root, folder, 'kustomization.yaml')))
    return withOverlay(manifests, { ...overlay, folder });
  item.refuse(`there is no component ${folder}`);
  return manifests;
}

function withPatch(manifests: Layers, patch: Patch, { passedOver }: Overlay): Layers {
  const known = [...manifests.map(({ object }) => object), ...passedOver];
  if (!patch.isOptional && !known.some(patch.isFor)) patch.field.refuse('patches nothing: there is no such object');
  return patchedBy(manifests, patch);
}

/** kustomize would move everything there; here everything must be there already. */
function checkNamespace(field: Field, manifests: readonly Manifest[]): void {
  const namespace = field.text();
  const isElsewhere = ({ object: { metadata } }: Manifest): boolean =>
    metadata.namespace !== undefined && metadata.namespace !== namespace;
  if (field.isSet && manifests.some(isElsewhere)) field.refuse('is not read locally: it must be that of all objects');
}

/** A base is read already; a file beside the overlay's is new, and so is a folder in it that is a kustomization. */
function addedBy(item: Field, overlay: Overlay): readonly Manifest[] {
  const { root, folder, base, faults } = overlay;
  const path = pathOf(item, folder);
  if (base.some((one) => path === one || path.startsWith(`${one}/`)) && !path.startsWith(`${folder}/`)) return [];
  const isOwn = dirname(path) === folder;
  if (isOwn && existsSync(join(root, path, 'kustomization.yaml'))) return withOverlay([], { ...overlay, folder: path });
  if (isOwn && existsSync(join(root, path))) return readObjects(root, path, faults);
  item.refuse(`${path} is neither in ${base.join(', ')} nor a file beside this one`);
  return [];
}

function patchesOf(item: Field, { placeOf }: Manifest, overlay: Overlay): readonly Patch[] {
  item.allow(['path', 'target', 'patch', 'options']);
  if (!item.at('path').isSet) return [patchOfTarget(item, () => placeOf(item.path))];
  for (const key of item.keys().filter((one) => one !== 'path')) {
    item.at(key).refuse('is not read locally beside a path: the file says the kind and name of what it changes');
  }
  const { root, folder, faults } = overlay;
  const path = pathOf(item.at('path'), folder);
  if (!path.startsWith(`${folder}/`) || !existsSync(join(root, path))) {
    item.refuse(`there is no patch ${path}`);
    return [];
  }
  return readObjects(root, path, faults).map((manifest) => patchOfFile(manifest, openFields(manifest, faults)));
}

function pathOf(item: Field, folder: string): string {
  return normalize(`${folder}/${item.text()}`).replace(/\/$/, '');
}

function manifestOf(document: YamlDocument, file: string): Manifest {
  return {
    object: document.value as KubeObject,
    placeOf: (path) => ({ file, line: document.lineOf(path) }),
  };
}
