import type { KubeObject } from '../controller/domain/kube-object.ts';

interface PodLike extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
}

/**
 * A Pod without its annotations and the environment of its containers: other programs keep private data there, and no function reads
 * it. Any other object is unchanged.
 */
export function discreet(object: KubeObject): KubeObject {
  if (object.kind !== 'Pod' || object.apiVersion !== 'v1') return object;
  const { metadata, spec, ...rest }: PodLike = object;
  const { annotations: _, ...kept } = metadata;
  return { ...rest, metadata: kept, ...(spec !== undefined && { spec: withoutEnvironment(spec) }) };
}

const containers = ['containers', 'initContainers', 'ephemeralContainers'];

function withoutEnvironment(spec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const stripped = containers.flatMap((field) => {
    const list = spec[field];
    return Array.isArray(list)
      ? [[field, list.map((one) => withoutEnv(one as Readonly<Record<string, unknown>>))]]
      : [];
  });
  return { ...spec, ...Object.fromEntries(stripped) };
}

function withoutEnv({ env: _, envFrom: __, ...rest }: Readonly<Record<string, unknown>>): object {
  return rest;
}
