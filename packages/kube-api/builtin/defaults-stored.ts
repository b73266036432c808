import type { Json, JsonObject } from '../json.ts';
import { isArray, objectAt } from '../json.ts';
import { scalerBehavior, scalerSpec } from './defaults-scaler.ts';
import { filled } from './filled.ts';

type Fill = (object: JsonObject) => JsonObject;

/** The same as in defaults.ts, for the kinds that are stored and that no controller here runs. */
export const storedDefaults: Readonly<Record<string, Fill>> = {
  StatefulSetSpec: (object) =>
    filled(withClaims(object), {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    }),
  StatefulSetStatus: (object) => filled(object, { availableReplicas: 0 }),
  StatefulSetUpdateStrategy: (object) => {
    const whole = filled(object, { type: 'RollingUpdate' });
    if (whole['type'] !== 'RollingUpdate') return whole;
    return { ...whole, rollingUpdate: filled(objectAt(whole, 'rollingUpdate'), { partition: 0 }) };
  },
  DaemonSet: (object) => ({
    ...object,
    metadata: withAnnotation(objectAt(object, 'metadata'), 'deprecated.daemonset.template.generation'),
  }),
  DaemonSetSpec: (object) => filled(object, { revisionHistoryLimit: 10 }),
  DaemonSetUpdateStrategy: (object) => {
    const whole = filled(object, { type: 'RollingUpdate' });
    if (whole['type'] !== 'RollingUpdate') return whole;
    return { ...whole, rollingUpdate: filled(objectAt(whole, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 }) };
  },
  CronJobSpec: (object) =>
    filled(object, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }),
  ReplicationController: controller,
  ReplicationControllerSpec: (object) => filled(object, { replicas: 1 }),
  PersistentVolumeClaimSpec: (object) => filled(object, { volumeMode: 'Filesystem' }),
  PersistentVolumeSpec: (object) =>
    filled(object, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
  StorageClass: (object) => filled(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  LimitRangeItem: limit,
  NetworkPolicySpec: (object) => {
    const leaving = isArray(object['egress']) && object['egress'].length > 0;
    return filled(object, { policyTypes: leaving ? ['Ingress', 'Egress'] : ['Ingress'] });
  },
  NetworkPolicyPort: (object) => filled(object, { protocol: 'TCP' }),
  // The ports of an EndpointSlice get an empty name, those of Endpoints get none.
  EndpointSubset: (object) => {
    const { ports } = object;
    return isArray(ports) ? { ...object, ports: ports.map((port) => nameless(objectAt(port))) } : object;
  },
  PriorityClass: (object) => filled(object, { preemptionPolicy: 'PreemptLowerPriority' }),
  HorizontalPodAutoscalerSpec: scalerSpec,
  HorizontalPodAutoscalerBehavior: scalerBehavior,
  ValidatingAdmissionPolicySpec: (object) => filled(object, { failurePolicy: 'Fail' }),
  MatchResources: (object) => filled(object, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }),
  NamedRuleWithOperations: (object) => filled(object, { scope: '*' }),
};

/** What a StatefulSet makes claims from are claims themselves. */
function withClaims(spec: JsonObject): JsonObject {
  const { volumeClaimTemplates: claims } = spec;
  if (!isArray(claims)) return spec;
  const own = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' };
  const volumeClaimTemplates = claims.map((claim) => ({ ...objectAt(claim), ...own, status: { phase: 'Pending' } }));
  return { ...spec, volumeClaimTemplates };
}

function withAnnotation(metadata: JsonObject, key: string): JsonObject {
  return { ...metadata, annotations: filled(objectAt(metadata, 'annotations'), { [key]: '1' }) };
}

/** Its selector and labels are those of its template, unless it has its own. */
function controller(object: JsonObject): JsonObject {
  const { labels } = objectAt(object, 'spec', 'template', 'metadata');
  if (labels === undefined) return object;
  return {
    ...object,
    metadata: filled(objectAt(object, 'metadata'), { labels }),
    spec: filled(objectAt(object, 'spec'), { selector: labels }),
  };
}

/** Of a container the maximum is the default limit, and that, or else the minimum, the default request. */
function limit(item: JsonObject): JsonObject {
  if (item['type'] !== 'Container') return item;
  const limits: Record<string, Json> = { ...objectAt(item, 'max'), ...objectAt(item, 'default') };
  const requests = { ...objectAt(item, 'min'), ...limits, ...objectAt(item, 'defaultRequest') };
  return { ...item, ...(some(limits) && { default: limits }), ...(some(requests) && { defaultRequest: requests }) };
}

function nameless({ name, ...port }: JsonObject): JsonObject {
  return name === '' || name === undefined ? port : { ...port, name };
}

function some(object: JsonObject): boolean {
  return Object.keys(object).length > 0;
}
