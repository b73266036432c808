import type { KubeObject, ObjectRef } from '../../domain/kube-object.ts';

/** What a person would keep of an object in a file, and make it again from: neither owner nor finalizer nor status. */
export function bareCopy({ apiVersion, kind, metadata, ...fields }: KubeObject): KubeObject {
  const { name, namespace = '', labels = {}, annotations = {} } = metadata;
  const { status: _, ...content } = fields as Record<string, unknown>;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels, annotations },
    ...content,
    ...('spec' in content && { spec: without(content['spec'], assigned[kind] ?? []) }),
  };
}

/** What the API server has given the object, and might not take again. */
const assigned: Readonly<Record<string, readonly string[]>> = {
  Service: ['clusterIP', 'clusterIPs'],
  Pod: ['nodeName', 'tolerations'],
};

function without(spec: unknown, names: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(spec as object).filter(([name]) => !names.includes(name)));
}

/** Somebody else's object of that name, as small as its kind allows. */
export function squatter({ apiVersion, kind, namespace, name }: ObjectRef): KubeObject {
  const made = { apiVersion, kind, metadata: { name, namespace, labels: { 'example.com/owner': 'somebody' } } };
  return { ...made, ...smallest(kind, name) };
}

function smallest(kind: string, name: string): object {
  const containers = [{ name: 'main', image: 'example.com/image:1' }];
  switch (kind) {
    case 'Service':
      return { spec: { ports: [{ port: 80 }] } };
    case 'Pod':
      return { spec: { containers } };
    case 'Deployment': {
      const labels = { 'example.com/app': name };
      return { spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } } };
    }
    default:
      return {};
  }
}
