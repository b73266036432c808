import { notKept, redactText } from '../../controller/domain/redact-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How much of an object is kept: no data of a Secret, no values of a ConfigMap, no spec and the like of the rest. */
type Form = 'secret' | 'config-map' | 'without-spec';

/** Kinds, in lower case, whose content the log does not keep: it holds environments, arguments and texts of users. */
const forms: ReadonlyMap<string, Form> = new Map([
  ['secret', 'secret'],
  ['configmap', 'config-map'],
  ...['pod', 'podtemplate', 'service', 'endpoints', 'endpointslice', 'deployment', 'replicaset', 'statefulset'].map(
    (kind) => [kind, 'without-spec'] as const,
  ),
  ...['daemonset', 'replicationcontroller', 'job', 'cronjob'].map((kind) => [kind, 'without-spec'] as const),
]);

/** Fields that are kept of each of them; in Reference mode name and namespace stand beside the kind. */
const always = ['apiVersion', 'kind', 'metadata', 'name', 'namespace', 'uid', 'resourceVersion'];
const keptOf: Readonly<Record<Form, ReadonlySet<string>>> = {
  secret: new Set([...always, 'type', 'immutable']),
  'config-map': new Set([...always, 'immutable', 'data', 'binaryData']),
  'without-spec': new Set([...always, 'status']),
};

/** Metadata that is kept: all but annotations, where tools keep copies of the object, and managedFields, which name its keys. */
const keptMetadata = new Set([
  ...['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'generateName', 'labels', 'finalizers'],
  ...['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'ownerReferences', 'selfLink'],
]);

/** Removed from other kinds too: it repeats the whole object, also fields that are not kept. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The deepest nesting that the data of an event may have. */
const deepest = 64;

/**
 * The data of an event as it is kept: without the data of Secrets, the values of ConfigMaps, and the spec of Pods, Services and
 * what runs Pods, wherever the object stands and however a Secret is wrapped. `kind` is the kind in the event's attributes: if it
 * says Secret, the data is treated as one, even if it names another kind. Undefined if nothing may stay.
 */
export function redactData(data: unknown, kind: string | undefined): unknown {
  const form = formOf(kind);
  if (form === 'secret') return isFields(data) ? redactObject(data, form, 0) : undefined;
  const isNameless = form !== undefined && isFields(data) && !saysKind(data) && hasContent(data);
  return isNameless ? redactObject(data, form, 0) : redact(data, 0);
}

/** Any of these fields shows that this is an object and not a reference, such as an owner or the workload of a service. */
const content = ['metadata', 'spec', 'template', 'data', 'binaryData', 'endpoints', 'subsets', 'items'];

function hasContent(object: Fields): boolean {
  return content.some((field) => field in object);
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (depth > deepest) return notKept;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (!isFields(value)) return value;
  const form = formOfObject(value);
  return form === undefined ? redactFields(value, depth) : redactObject(value, form, depth);
}

function redactFields(object: Fields, depth: number): Fields {
  const kept = Object.entries(object).filter(([field]) => field !== lastApplied);
  return Object.fromEntries(kept.map(([field, value]) => [field, redact(value, depth + 1)]));
}

/** Redacts the items of a list too, which need not name their kind. */
function redactObject(object: Fields, form: Form, depth: number): Fields {
  const { items } = object as { readonly items?: unknown };
  const kept = Object.entries(object).filter(([field]) => keptOf[form].has(field));
  const fields = kept.map(([field, value]) => [field, redactField(field, value, depth)]);
  if (Array.isArray(items))
    fields.push(['items', items.map((item) => (isFields(item) ? redactItem(item, form, depth) : notKept))]);
  return Object.fromEntries(fields);
}

function redactField(field: string, value: unknown, depth: number): unknown {
  if (field === 'metadata') return metadataOf(value);
  if (field === 'data' || field === 'binaryData') return keysOf(value);
  return redact(value, depth + 1);
}

function redactItem(item: Fields, form: Form, depth: number): unknown {
  return depth > deepest ? notKept : redactObject(item, formOf(item['kind']) ?? form, depth + 1);
}

function keysOf(value: unknown): unknown {
  return isFields(value) ? Object.fromEntries(Object.keys(value).map((key) => [redactText(key), notKept])) : notKept;
}

function metadataOf(metadata: unknown): unknown {
  if (!isFields(metadata)) return notKept;
  const kept = Object.entries(metadata).filter(([field]) => keptMetadata.has(field));
  return Object.fromEntries(kept.map(([field, value]) => [field, redact(value, 0)]));
}

/** An object without a kind counts as a Secret if it has data and metadata, and as a Pod if it has a spec: in doubt it is not kept. */
function formOfObject(object: Fields): Form | undefined {
  const { kind, metadata, data, spec, stringData } = object as Record<string, unknown>;
  if (stringData !== undefined) return 'secret';
  const form = formOf(kind);
  if (saysKind(object)) return form === 'secret' || hasContent(object) ? form : undefined;
  if (metadata === undefined) return undefined;
  if (data !== undefined) return 'secret';
  return spec === undefined ? undefined : 'without-spec';
}

function saysKind({ kind }: { readonly kind?: unknown }): boolean {
  return typeof kind === 'string' && kind !== '';
}

function formOf(kind: unknown): Form | undefined {
  return typeof kind === 'string' ? forms.get(kind.toLowerCase().replace(/list$/, '')) : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
