import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isEqual, objectAt } from '../json.ts';
import { forbiddenField, immutable, invalidValue, required } from '../schema/texts.ts';
import { selectorCauses } from './workloads.ts';

type Check = (next: JsonObject, current: JsonObject | undefined) => readonly Cause[];

const mayChange = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** How fields of the kinds that are only stored depend on each other, by resource: the faults that people meet, not all. */
export const storedChecks: Readonly<Record<string, Check>> = {
  'statefulsets.apps': (next, current) => {
    const names = `${mayChange.slice(0, -1).map(quoted).join(', ')} and 'minReadySeconds'`;
    const why = `updates to statefulset spec for fields other than ${names} are forbidden`;
    const isSame = current === undefined || isEqual(fixedOf(next), fixedOf(current));
    return [...selected(next), ...(isSame ? [] : [forbiddenField('spec', why)])];
  },
  'daemonsets.apps': (next, current) => {
    const selector = objectAt(next, 'spec')['selector'];
    const before = current && objectAt(current, 'spec')['selector'];
    return [...(current === undefined ? [] : immutable('spec.selector', selector, before)), ...selected(next)];
  },
  'cronjobs.batch': ({ spec }) => (objectAt(spec)['schedule'] ? [] : [required('spec.schedule')]),
  persistentvolumeclaims: (next, current) => {
    const why =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    if (current !== undefined) return isEqual(next['spec'], current['spec']) ? [] : [forbiddenField('spec', why)];
    const { accessModes } = objectAt(next, 'spec');
    const { storage } = objectAt(next, 'spec', 'resources', 'requests');
    return [
      ...(isArray(accessModes) ? [] : [required('spec.accessModes', 'at least 1 access mode is required')]),
      ...(storage === undefined ? [required('spec.resources[storage]')] : []),
    ];
  },
  'storageclasses.storage.k8s.io': ({ provisioner }) => (provisioner ? [] : [required('provisioner')]),
  'ingresses.networking.k8s.io': ({ spec }) => {
    const { defaultBackend, rules } = objectAt(spec);
    const isSome = defaultBackend !== undefined || rules !== undefined;
    return isSome ? [] : [invalidValue('spec', null, 'either `defaultBackend` or `rules` must be specified')];
  },
  'poddisruptionbudgets.policy': ({ spec }) => {
    const {
      minAvailable = null,
      maxUnavailable = null,
      selector = null,
      unhealthyPodEvictionPolicy = null,
    } = objectAt(spec);
    if (minAvailable === null || maxUnavailable === null) return [];
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
    };
    return [invalidValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set')];
  },
  'horizontalpodautoscalers.autoscaling': ({ spec }) => {
    const { minReplicas = 1, maxReplicas = 0 } = objectAt(spec);
    const fault = (why: string) => invalidValue('spec.maxReplicas', maxReplicas, why);
    return [
      ...(Number(maxReplicas) < 1 ? [fault('must be greater than 0')] : []),
      ...(Number(maxReplicas) < Number(minReplicas) ? [fault('must be greater than or equal to `minReplicas`')] : []),
    ];
  },
};

function selected({ spec }: JsonObject): readonly Cause[] {
  return selectorCauses(objectAt(spec)['selector'], 'spec.selector', { object: objectAt(spec) });
}

function fixedOf({ spec }: JsonObject): Json {
  return Object.fromEntries(Object.entries(objectAt(spec)).filter(([key]) => !mayChange.includes(key)));
}

function quoted(name: string): string {
  return `'${name}'`;
}
