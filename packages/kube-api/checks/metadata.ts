import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isEqual, objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { forbiddenField, invalidValue, required, tooLong } from '../schema/texts.ts';
import { dns1035Label, dnsLabel, dnsSubdomain, labelKey, labelValue, pathSegment } from './names.ts';

const annotationBytes = 256 * 1024;

/**
 * The faults in the metadata of an object, by itself and, in an update, compared with the current one. The server
 * checks several times during an update, and reports each finding every time (most kinds of kube-apiserver 1.35).
 */
export function metadataCauses(kind: Kind, next: JsonObject, current: JsonObject | undefined): readonly Cause[] {
  const metadata = objectAt(next, 'metadata');
  const finalizers = finalizerCauses(textsIn(metadata['finalizers']), kind.custom);
  const common = commonCauses(metadata);
  if (current === undefined) return [...nameCauses(kind, metadata), ...common, ...finalizers];
  const changes = [...changeCauses(metadata, objectAt(current, 'metadata')), ...common];
  return [...times(kind.custom ? 1 : 2, [...common, ...finalizers]), ...times(2, changes)];
}

function times(count: number, causes: readonly Cause[]): readonly Cause[] {
  return causes.length === 0 ? causes : Array.from({ length: count }, () => causes).flat();
}

function nameCauses(kind: Kind, { name, generateName }: JsonObject): readonly Cause[] {
  const rule = ruleOf(kind);
  const generated =
    typeof generateName === 'string' && generateName !== '' ? rule(generateName.replace(/-$/, 'a')) : [];
  const given = typeof name === 'string' ? name : '';
  return [
    ...generated.map((why) => invalidValue('metadata.generateName', generateName ?? '', why)),
    ...(given === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : rule(given).map((why) => invalidValue('metadata.name', given, why))),
  ];
}

function ruleOf({ group, plural, custom }: Kind): (name: string) => readonly string[] {
  if (custom) return dnsSubdomain;
  if (group === 'rbac.authorization.k8s.io') return pathSegment;
  if (plural === 'namespaces') return (name) => (name.includes('.') ? ['must not contain dots'] : dnsLabel(name));
  return plural === 'services' ? dns1035Label : dnsSubdomain;
}

function changeCauses(next: JsonObject, current: JsonObject): readonly Cause[] {
  const added = textsIn(next['finalizers']).filter((finalizer) => !textsIn(current['finalizers']).includes(finalizer));
  const list = `[]string{${added
    .toSorted()
    .map((item) => JSON.stringify(item))
    .join(', ')}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  const fixed = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'];
  return [
    ...(current['deletionTimestamp'] !== undefined && added.length > 0
      ? [forbiddenField('metadata.finalizers', why)]
      : []),
    ...fixed
      .filter((key) => !isEqual(next[key] ?? '', current[key] ?? ''))
      .map((key) => invalidValue(`metadata.${key}`, next[key] ?? '', 'field is immutable')),
  ];
}

function commonCauses(metadata: JsonObject): readonly Cause[] {
  const { generation, labels, annotations, ownerReferences } = metadata;
  const negative = typeof generation === 'number' && generation < 0;
  return [
    ...(negative ? [invalidValue('metadata.generation', generation, 'must be greater than or equal to 0')] : []),
    ...labelCauses('metadata.labels', objectAt(labels)),
    ...annotationCauses(objectAt(annotations)),
    ...ownerCauses(isArray(ownerReferences) ? ownerReferences : []),
  ];
}

/** Also for a Pod template, a selector and everything else that has labels. */
export function labelCauses(field: string, labels: JsonObject): readonly Cause[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...labelKey(key).map((why) => invalidValue(field, key, why)),
    ...labelValue(String(value)).map((why) => invalidValue(field, value, why)),
  ]);
}

function annotationCauses(annotations: JsonObject): readonly Cause[] {
  const field = 'metadata.annotations';
  const entries = Object.entries(annotations);
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
  return [
    ...entries.flatMap(([key]) => labelKey(key.toLowerCase()).map((why) => invalidValue(field, key, why))),
    ...(bytes > annotationBytes ? [tooLong(field, annotationBytes)] : []),
  ];
}

function ownerCauses(references: readonly Json[]): readonly Cause[] {
  const field = 'metadata.ownerReferences';
  const owners = references.map((reference) => objectAt(reference));
  const controllers = owners.filter(({ controller }) => controller === true).map(({ kind, name }) => `${kind}/${name}`);
  const [first, ...others] = controllers;
  return [
    ...owners.flatMap((owner) => [
      ...(owner['apiVersion'] ? [] : [invalidValue(`${field}.apiVersion`, '', 'version must not be empty')]),
      ...['kind', 'name', 'uid']
        .filter((key) => !owner[key])
        .map((key) => invalidValue(`${field}.${key}`, '', 'must not be empty')),
    ]),
    ...others.map((other) =>
      invalidValue(
        field,
        owners.map(inGoOrder),
        `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`,
      ),
    ),
  ];
}

function inGoOrder({ apiVersion, kind, name, uid, ...rest }: JsonObject): JsonObject {
  return { apiVersion: apiVersion ?? '', kind: kind ?? '', name: name ?? '', uid: uid ?? '', ...rest };
}

function finalizerCauses(finalizers: readonly string[], custom: boolean): readonly Cause[] {
  const field = 'metadata.finalizers';
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  const standard = ['kubernetes', 'foregroundDeletion', 'orphan'];
  const bare = (name: string) => !custom && !name.includes('/') && !standard.includes(name);
  return [
    ...finalizers.flatMap((name) => labelKey(name).map((wrong) => invalidValue(field, name, wrong))),
    ...finalizers.flatMap((name, index) => (bare(name) ? [invalidValue(`${field}[${index}]`, name, why)] : [])),
  ];
}

function textsIn(list: Json | undefined): readonly string[] {
  return isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}
