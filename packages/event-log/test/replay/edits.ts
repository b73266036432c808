import { withSpec } from '../../../../test/faults/mesh/project-copy.ts';
import type { KubeObject } from '../../../controller/domain/kube-object.ts';

/** Of the manifests of a mesh: resyncs come when the test says so. */
export function withoutClock(object: KubeObject): KubeObject {
  return withSpec(object, 'PingSource', { schedule: '0 0 1 1 *' });
}

/** Of the manifests of a mesh: no source reports their changes either. */
export function withoutSources(object: KubeObject): KubeObject {
  const namespaceSelector = { matchLabels: { 'test.knudge.dev/watched': 'never' } };
  return withSpec(withoutClock(object), 'ApiServerSource', { namespaceSelector });
}

/** A server profile of a namespace alone: of two services that want the same port of one server, only one has it. */
export function withServer(object: KubeObject, namespace: string): KubeObject {
  if (object.kind !== 'ConfigMap') return object;
  const { data } = object as KubeObject & { readonly data: object };
  return { ...object, data: { ...data, address: `${namespace}.example.com` } } as KubeObject;
}
