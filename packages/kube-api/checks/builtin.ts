import { definitionCauses } from '../crd/definition.ts';
import type { Cause } from '../http/problem.ts';
import type { JsonObject } from '../json.ts';
import { isEqual, objectAt } from '../json.ts';
import { bindingCauses, policyCauses } from '../policies/faults.ts';
import type { Kind } from '../schema/kind.ts';
import { groupResource } from '../schema/kind.ts';
import { forbiddenField, immutable, invalidValue, required, tooLong } from '../schema/texts.ts';
import { fieldCauses } from './fields.ts';
import { configKey } from './names.ts';
import { podCauses } from './pods.ts';
import { serviceCauses } from './services.ts';
import { storedChecks } from './stored.ts';
import { jobCauses } from './workloads.ts';

/** The current object, if there is one, and the subresource of the write. */
interface Write {
  readonly current: JsonObject | undefined;
  readonly subresource: '' | 'status' | 'scale';
}

type Check = (next: JsonObject, current: JsonObject | undefined, kind: Kind) => readonly Cause[];

/** Fields that may not change, and how fields depend on each other, by resource; after the rules of each field. */
const checks: Readonly<Record<string, Check>> = {
  ...storedChecks,
  pods: podCauses,
  services: serviceCauses,
  configmaps: (next, current) => [...frozen(next, current), ...dataCauses(next, '[]')],
  secrets: secretCauses,
  events: ({ involvedObject, metadata }) => {
    const { namespace: about = 'default' } = objectAt(involvedObject);
    const fits = about === objectAt(metadata)['namespace'];
    return fits ? [] : [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')];
  },
  'deployments.apps': fixed('spec.selector'),
  'replicasets.apps': fixed('spec.selector'),
  'jobs.batch': (next, current, kind) => [
    ...jobCauses(next),
    ...fixed('spec.completions', 'spec.selector', 'spec.template', 'spec.completionMode')(next, current, kind),
  ],
  'validatingadmissionpolicies.admissionregistration.k8s.io': policyCauses,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': bindingCauses,
  'rolebindings.rbac.authorization.k8s.io': bindingChanges,
  'clusterrolebindings.rbac.authorization.k8s.io': bindingChanges,
  'endpointslices.discovery.k8s.io': (next, current, kind) =>
    next['addressType'] ? fixed('addressType')(next, current, kind) : [required('addressType')],
};

/** The faults of an object of a built-in kind besides its metadata: those that people meet, not all. */
export function builtinCauses(kind: Kind, next: JsonObject, { current, subresource }: Write): readonly Cause[] {
  if (subresource === 'status') return [];
  if (kind.kind === 'CustomResourceDefinition') return definitionCauses(next, current);
  const resource = groupResource(kind);
  const check = Object.hasOwn(checks, resource) ? checks[resource] : undefined;
  return [...fieldCauses(kind.schema, { value: next, root: next }), ...(check?.(next, current, kind) ?? [])];
}

function fixed(...fields: readonly string[]): Check {
  const at = (object: JsonObject, field: string) => {
    const path = field.split('.');
    return objectAt(object, ...path.slice(0, -1))[path.at(-1) ?? ''];
  };
  return (next, current) =>
    current === undefined ? [] : fields.flatMap((field) => immutable(field, at(next, field), at(current, field)));
}

const maxBytes = 1024 * 1024;

function dataCauses({ data, binaryData }: JsonObject, whole: string): readonly Cause[] {
  const maps = Object.entries({ data: objectAt(data), binaryData: objectAt(binaryData) });
  const encoding = whole === 'data' ? 'base64' : 'utf8';
  const values = maps.flatMap(([, map]) => Object.values(map));
  const bytes = values.reduce<number>((sum, value) => sum + Buffer.byteLength(String(value), encoding), 0);
  const keys = maps.flatMap(([name, map]) =>
    Object.keys(map).flatMap((key) => configKey(key).map((why) => invalidValue(`${name}[${key}]`, key, why))),
  );
  return [...keys, ...(bytes > maxBytes ? [tooLong(whole, maxBytes)] : [])];
}

function secretCauses(next: JsonObject, current: JsonObject | undefined): readonly Cause[] {
  const keys = next['type'] === 'kubernetes.io/tls' ? ['tls.crt', 'tls.key'] : [];
  return [
    ...(current ? immutable('type', next['type'], current['type']) : []),
    ...frozen(next, current),
    ...dataCauses(next, 'data'),
    ...keys.filter((key) => !Object.hasOwn(objectAt(next, 'data'), key)).map((key) => required(`data[${key}]`)),
  ];
}

/** The changes that an immutable ConfigMap or Secret refuses. */
function frozen(next: JsonObject, current: JsonObject | undefined): readonly Cause[] {
  if (current?.['immutable'] !== true) return [];
  const changed = ['immutable', 'data', 'binaryData'].filter((key) => !isEqual(next[key], current[key]));
  return changed.map((key) => forbiddenField(key, 'field is immutable when `immutable` is set'));
}

function bindingChanges(next: JsonObject, current: JsonObject | undefined): readonly Cause[] {
  if (current === undefined || isEqual(next['roleRef'], current['roleRef'])) return [];
  const { apiGroup = '', kind = '', name = '' } = objectAt(next, 'roleRef');
  return [invalidValue('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef')];
}
