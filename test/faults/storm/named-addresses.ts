import { canonical } from '../../../packages/controller/decide/canonical.ts';
import { controllerOf, type KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';

/**
 * Objects with the addresses of Pods named for their Pods, and lists of them in an order of their own: two clusters give
 * the same Pods other addresses, and Knudge sorts by address. The Pods of one workload are all called the same.
 */
export function withNamedAddresses(
  objects: readonly KubeObject[],
  among: readonly KubeObject[],
): readonly KubeObject[] {
  const names = new Map(among.flatMap(namesOf));
  const rename = (text: string): string =>
    text.replace(/\b\d+\.\d+\.\d+\.\d+\b|\b[a-z][-a-z0-9]+\b/g, (one) => names.get(one) ?? one);
  return objects.map((object) => sorted(JSON.parse(rename(JSON.stringify(object)))) as KubeObject);
}

/** The addresses of a Pod or a Service of a person, and the name of a Pod that a workload has made. */
function namesOf(object: KubeObject): readonly (readonly [string, string])[] {
  const { namespace = '', name } = object.metadata;
  const address = pick(object, ...(object.kind === 'Pod' ? ['status', 'podIP'] : ['spec', 'clusterIP']));
  const owner = controllerOf(object);
  const whose = owner?.kind === 'ReplicaSet' ? owner.name.replace(/-[^-]+$/, '') : name;
  return [
    ...(typeof address === 'string' && address !== 'None'
      ? [[address, `{address of ${namespace}/${whose}}`] as const]
      : []),
    ...(whose === name ? [] : [[name, `{Pod of ${whose}}`] as const]),
  ];
}

/** Every list of endpoints, also in the JSON that Envoy reads. */
function sorted(value: unknown, key = ''): unknown {
  if (typeof value === 'string' && key === 'eds.json') return sorted(JSON.parse(value));
  if (Array.isArray(value)) {
    const items = value.map((item) => sorted(item));
    if (key !== 'endpoints' && key !== 'lb_endpoints') return items;
    return items.sort((one, other) => (canonical(one) < canonical(other) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sorted(inner, name)]));
}
