import { createHash } from 'node:crypto';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { type JsonObject, objectAt } from '../json.ts';
import { controllerReference, partOf, replicaSets } from './controller.ts';

const hashLabel = 'pod-template-hash';

/** The template without the label that distinguishes the sets of a Deployment. */
export function templateOf(object: KubeObject): JsonObject {
  const template = partOf(object, 'spec', 'template');
  const { [hashLabel]: _hash, ...labels } = objectAt(template, 'metadata', 'labels');
  return { ...template, metadata: { ...objectAt(template, 'metadata'), labels } };
}

/** The ReplicaSet of a Deployment's template; its name changes with the number of names that were taken. */
export function setOf(
  deployment: KubeObject,
  { replicas, annotations }: { replicas: number; annotations: JsonObject },
): KubeObject {
  const template = templateOf(deployment);
  const { collisionCount = '' } = partOf(deployment, 'status');
  const hashed = createHash('sha256').update(`${JSON.stringify(template)}${String(collisionCount)}`);
  const hash = safeName(hashed.digest().subarray(0, 10));
  const labels = { ...objectAt(template, 'metadata', 'labels'), [hashLabel]: hash };
  const { selector, minReadySeconds } = partOf(deployment, 'spec');
  const { namespace = '', name } = deployment.metadata;
  const spec = {
    replicas,
    ...(minReadySeconds !== undefined && { minReadySeconds }),
    selector: { ...objectAt(selector), matchLabels: { ...objectAt(selector, 'matchLabels'), [hashLabel]: hash } },
    template: { ...template, metadata: { ...objectAt(template, 'metadata'), labels } },
  };
  const metadata = {
    name: `${name}-${hash}`,
    namespace,
    labels,
    annotations,
    ownerReferences: [controllerReference(deployment)],
  };
  return { ...replicaSets, metadata: metadata as unknown as KubeObject['metadata'], spec } as KubeObject;
}

/** In the letters that Kubernetes uses for names that must not spell a word. */
function safeName(bytes: Uint8Array): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  return [...bytes].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
}
