import { readerOf } from './reader.ts';

/** Where the API server describes the built-in resources, and which of them are written. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  'api/v1': [
    'configmaps',
    'endpoints',
    'events',
    'limitranges',
    'namespaces',
    'nodes',
    'persistentvolumeclaims',
    'persistentvolumes',
    'pods',
    'podtemplates',
    'replicationcontrollers',
    'resourcequotas',
    'secrets',
    'serviceaccounts',
    'services',
  ],
  'apis/admissionregistration.k8s.io/v1': ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
  'apis/apps/v1': ['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  'apis/authentication.k8s.io/v1': ['selfsubjectreviews', 'tokenreviews'],
  'apis/authorization.k8s.io/v1': [
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ],
  'apis/autoscaling/v2': ['horizontalpodautoscalers'],
  'apis/batch/v1': ['cronjobs', 'jobs'],
  'apis/coordination.k8s.io/v1': ['leases'],
  'apis/discovery.k8s.io/v1': ['endpointslices'],
  'apis/events.k8s.io/v1': ['events'],
  'apis/networking.k8s.io/v1': ['ingressclasses', 'ingresses', 'networkpolicies'],
  'apis/policy/v1': ['poddisruptionbudgets'],
  'apis/rbac.authorization.k8s.io/v1': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
  'apis/apiextensions.k8s.io/v1': ['customresourcedefinitions'],
  'apis/scheduling.k8s.io/v1': ['priorityclasses'],
  'apis/storage.k8s.io/v1': ['storageclasses'],
};
/** Definitions to which the others refer only by name. */
const alsoWanted = [
  'autoscaling.v1.Scale',
  'authentication.v1.TokenRequest',
  'meta.v1.DeleteOptions',
  'meta.v1.Status',
];

interface Document {
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Definition>> };
}

interface Definition {
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

interface Resource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/**
 * The text of openapi.json: what the API server of a kubeconfig publishes about the built-in kinds, one resource or definition
 * a line: names, columns of tables, schemas with everything that they refer to. Throws if a resource is missing.
 */
export async function definitionsOf(kubeconfig: string): Promise<string> {
  const read = readerOf(kubeconfig);
  const resources = new Map<string, unknown>();
  const definitions = new Map<string, unknown>();
  let version = '';
  for (const [path, names] of Object.entries(wanted)) {
    const { info, components } = (await read(`/openapi/v3/${path}`)) as Document;
    const list = (await read(`/${path}`)) as { resources: readonly Resource[] };
    version = info.version;
    for (const name of names) {
      const definition = definitionName(components.schemas, path, kindOf(list.resources, name));
      resources.set(`${path}/${name}`, { definition, ...(await described(read, path, { name, all: list.resources })) });
      collect(components.schemas, definition, definitions);
    }
    for (const name of Object.keys(components.schemas)) {
      if (alsoWanted.some((suffix) => name.endsWith(suffix))) collect(components.schemas, name, definitions);
    }
  }
  const source = `Kubernetes ${version} (kubernetes.io, Apache-2.0), as kube-apiserver describes itself at /openapi/v3, in its discovery and in tables; written by tools/api-schemas/generate.ts`;
  return `{"source":${text(source)},\n"resources":{\n${lines(resources)}\n},\n"definitions":{\n${lines(definitions)}\n}}\n`;
}

function kindOf(resources: readonly Resource[], name: string): string {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`the API server has no ${name}`);
  return found.kind;
}

/** Names, subresources, and the columns of a table. */
async function described(
  read: ReturnType<typeof readerOf>,
  path: string,
  { name, all }: { name: string; all: readonly Resource[] },
): Promise<object> {
  const {
    singularName: singular,
    namespaced,
    shortNames = [],
    categories = [],
    verbs = [],
  } = all.find((one) => one.name === name) ?? {};
  // A review is answered and not kept, so there is no table of reviews.
  const isKept = verbs.includes('list');
  const has = (subresource: string) => all.some((one) => one.name === `${name}/${subresource}`);
  return {
    singular,
    namespaced,
    shortNames,
    categories,
    status: has('status'),
    scale: has('scale'),
    ...(!isKept && { createOnly: true }),
    columns: isKept ? await columnsOf(read, `/${path}/${name}`) : [],
  };
}

async function columnsOf(read: ReturnType<typeof readerOf>, path: string): Promise<unknown> {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const { columnDefinitions } = (await read(`${path}?limit=1`, accept)) as { columnDefinitions: unknown };
  return columnDefinitions;
}

function definitionName(schemas: Document['components']['schemas'], path: string, kind: string): string {
  const apiVersion = path.replace(/^apis?\//, '');
  const found = Object.entries(schemas).find(([, definition]) =>
    definition['x-kubernetes-group-version-kind']?.some(
      (gvk) => gvk.kind === kind && (gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`) === apiVersion,
    ),
  );
  if (found === undefined) throw new Error(`${path} has no ${kind}`);
  return found[0];
}

function collect(schemas: Document['components']['schemas'], name: string, found: Map<string, unknown>): void {
  if (found.has(name)) return;
  const definition = schemas[name];
  if (definition === undefined) throw new Error(`no definition of ${name}`);
  found.set(name, sorted(definition));
  for (const reference of referencesIn(definition)) collect(schemas, reference, found);
}

// The schema of JSON schemas has a property called $ref, whose value is a schema and not a reference.
function referencesIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const reference = (node as { $ref?: unknown }).$ref;
  const below = Object.values(node).flatMap((value) => referencesIn(value));
  return typeof reference === 'string' ? [reference.slice(reference.lastIndexOf('/') + 1), ...below] : below;
}

function sorted(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(sorted);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, sorted(value)]));
}

function lines(entries: ReadonlyMap<string, unknown>): string {
  const inOrder = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([name, value]) => `${text(name)}:${text(value)}`).join(',\n');
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
