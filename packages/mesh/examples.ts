import { dirname } from 'node:path';
import { KnudgeError } from '../controller/domain/errors.ts';
import type { KubeObject } from '../controller/domain/kube-object.ts';
import type { Fault } from './manifests/documents.ts';
import { readObjects, yamlFiles } from './manifests/documents.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The objects in the files of a folder, not of the folders in it, with namespace `default` if they name none, and with the annotation
 * that `kubectl apply` writes, since it warns of an object without one. Throws `misuse` for a file that is not valid YAML.
 */
export function readExamples(root: string, folder = 'examples'): readonly KubeObject[] {
  const faults: Fault[] = [];
  const files = yamlFiles(root, folder).filter((file) => dirname(file) === folder);
  const objects = files.flatMap((file) => readObjects(root, file, faults));
  if (faults.length > 0) throw new KnudgeError('misuse', faults.join('\n'));
  return objects.map(({ object }) =>
    asApplied({ ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace ?? 'default' } }),
  );
}

function asApplied(object: KubeObject): KubeObject {
  const { metadata } = object;
  const annotations = metadata.annotations ?? {};
  const text = `${JSON.stringify({ ...object, metadata: { ...metadata, annotations } })}\n`;
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: text } } };
}
