import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FieldPath, parseYaml, type YamlDocument } from '../../controller/cluster/yaml.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';

/** A fault in a file: `eventing/broker.yaml:12: spec.delivery.retry: …`. */
export type Fault = string;

/** One object of the manifests, and the place of each of its fields. */
export interface Manifest {
  readonly object: KubeObject;
  placeOf(path: FieldPath): { readonly file: string; readonly line: number };
}

/** The YAML files of a folder and its subfolders, sorted, as paths from the root; `without` are folders left out. */
export function yamlFiles(root: string, folder: string, without: readonly string[] = []): readonly string[] {
  if (without.includes(folder)) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return yamlFiles(root, path, without);
      return /\.ya?ml$/.test(entry.name) ? [path] : [];
    })
    .sort();
}

/** The objects of one file, without a folder's kustomization. Faults are added to the list. */
export function readObjects(root: string, file: string, faults: Fault[]): readonly Manifest[] {
  return readDocuments(root, file, faults).flatMap((document) => {
    if (!isObject(document.value)) {
      faults.push(`${file}:${document.lineOf([])}: object: needs apiVersion, kind and metadata.name`);
      return [];
    }
    if (document.value.kind === 'Kustomization') return [];
    return [{ object: document.value, placeOf: (path) => ({ file, line: document.lineOf(path) }) }];
  });
}

/** The YAML documents of one file. */
export function readDocuments(root: string, file: string, faults: Fault[]): readonly YamlDocument[] {
  const parsed = parseYaml(readFileSync(join(root, file), 'utf8'));
  faults.push(...parsed.faults.map(({ line, text }) => `${file}:${line}: ${text}`));
  return parsed.documents;
}

/** A kustomization has no name. */
function isObject(value: unknown): value is KubeObject {
  const { apiVersion, kind, metadata } = fieldsOf(value);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return false;
  return kind === 'Kustomization' || typeof fieldsOf(metadata)['name'] === 'string';
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
