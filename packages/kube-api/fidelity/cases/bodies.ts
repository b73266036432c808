type Fields = Readonly<Record<string, unknown>>;

export const image = 'example.com/web:1';

export function configMap(data: Fields = { color: 'blue' }, metadata: Fields = {}): Fields {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', ...metadata }, data };
}

/** No scheduler takes it, so that nobody but the case changes it. */
export function pod(spec: Fields = {}, metadata: Fields = {}): Fields {
  const containers = [{ name: 'web', image }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', ...metadata },
    spec: { schedulerName: 'nobody', containers, ...spec },
  };
}

export function service(spec: Fields = {}, metadata: Fields = {}): Fields {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', ...metadata },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
  };
}

/** Paused and without replicas, so that nobody but the case changes more than its status. */
export function deployment(spec: Fields = {}, metadata: Fields = {}): Fields {
  return { ...workload(spec, metadata), apiVersion: 'apps/v1', kind: 'Deployment' };
}

export function replicaSet(spec: Fields = {}, metadata: Fields = {}): Fields {
  return { ...workload(spec, metadata), apiVersion: 'apps/v1', kind: 'ReplicaSet' };
}

/** Suspended and managed by nobody, so that no controller changes it. */
export function job(spec: Fields = {}, metadata: Fields = {}): Fields {
  const containers = [{ name: 'web', image }];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'web', ...metadata },
    spec: {
      suspend: true,
      managedBy: 'example.com/nobody',
      template: { spec: { restartPolicy: 'Never', containers } },
      ...spec,
    },
  };
}

/** A CustomResourceDefinition of `shops.{group}` with one version v1, whose schema has these fields in its spec. */
export function crd(specSchema: Fields, version: Fields = {}, spec: Fields = {}): Fields {
  const properties = {
    spec: { type: 'object', ...specSchema },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  const v1 = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties } },
    ...version,
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'shops.{group}' },
    spec: {
      group: '{group}',
      scope: 'Namespaced',
      names: { plural: 'shops', singular: 'shop', kind: 'Shop', listKind: 'ShopList' },
      versions: [v1],
      ...spec,
    },
  };
}

export function shop(spec: Fields | undefined, more: Fields = {}): Fields {
  return {
    apiVersion: '{group}/v1',
    kind: 'Shop',
    metadata: { name: 'web' },
    ...(spec !== undefined && { spec }),
    ...more,
  };
}

function workload(spec: Fields, metadata: Fields): Fields {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } };
  return {
    metadata: { name: 'web', ...metadata },
    spec: { replicas: 0, selector: { matchLabels: labels }, template, ...spec },
  };
}
