import { KnudgeError } from '../controller/domain/errors.ts';
import type { KubeObject } from '../controller/domain/kube-object.ts';
import type { Fault } from './manifests/documents.ts';
import { readObjects, yamlFiles } from './manifests/documents.ts';

/** What Argo CD and Flux install Knudge by. */
const gitOps = 'examples/gitops';

/** The objects of examples/, those without a namespace in `default`. Throws `invalid-request` where one is no YAML. */
export function readExamples(root: string): readonly KubeObject[] {
  const faults: Fault[] = [];
  const objects = yamlFiles(root, 'examples', [gitOps]).flatMap((file) => readObjects(root, file, faults));
  if (faults.length > 0) throw new KnudgeError('misuse', faults.join('\n'));
  return objects.map(({ object }) => ({
    ...object,
    metadata: { ...object.metadata, namespace: object.metadata.namespace ?? 'default' },
  }));
}
