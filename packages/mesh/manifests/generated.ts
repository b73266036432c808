import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import type { Manifest } from './documents.ts';
import type { Field } from './field.ts';

interface Place {
  readonly root: string;
  /** The folder of the kustomization. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The ConfigMap of an item of `configMapGenerator` whose values are files, and whose name does not change with them. */
export function generatedBy(item: Field, { root, folder, manifest }: Place): Manifest {
  item.allow(['name', 'namespace', 'files', 'options']);
  const options = item.at('options');
  options.allow(['disableNameSuffixHash', 'labels']);
  if (options.at('disableNameSuffixHash').value !== true)
    item.refuse('is not read locally: its name changes with its content, unless options.disableNameSuffixHash is true');
  const data = item
    .at('files')
    .items()
    .map((file) => {
      const path = join(root, folder, file.text());
      if (existsSync(path)) return [basename(path), readFileSync(path, 'utf8')] as const;
      file.refuse(`there is no file ${folder}/${file.text()}`);
      return ['', ''] as const;
    });
  const metadata = {
    name: item.at('name').text(),
    namespace: item.at('namespace').text(),
    labels: options.at('labels').texts(),
  };
  return {
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: Object.fromEntries(data) } as KubeObject,
    placeOf: () => manifest.placeOf(item.path),
  };
}
