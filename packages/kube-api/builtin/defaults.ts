import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import { storedDefaults } from './defaults-stored.ts';
import { filled } from './filled.ts';

const mode = { defaultMode: 0o644 };
const container = (object: JsonObject): JsonObject =>
  filled(object, {
    imagePullPolicy: pullPolicyOf(String(object['image'] ?? '')),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });

/** The defaults that Kubernetes 1.35 fills in when it reads a struct of that name; its parts have theirs already. */
const byStruct: Readonly<Record<string, (object: JsonObject) => JsonObject>> = {
  ...storedDefaults,
  Container: container,
  EphemeralContainer: container,
  Probe: (object) => filled(object, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  HTTPGetAction: (object) => filled(object, { path: '/', scheme: 'HTTP' }),
  ObjectFieldSelector: (object) => filled(object, { apiVersion: 'v1' }),
  SecretVolumeSource: (object) => filled(object, mode),
  ConfigMapVolumeSource: (object) => filled(object, mode),
  DownwardAPIVolumeSource: (object) => filled(object, mode),
  ProjectedVolumeSource: (object) => filled(object, mode),
  HostPathVolumeSource: (object) => filled(object, { type: '' }),
  ServiceAccountTokenProjection: (object) => filled(object, { expirationSeconds: 3600 }),
  Volume: (object) => (Object.keys(object).length === 1 ? filled(object, { emptyDir: {} }) : object),
  PodSpec: podSpec,
  Pod: pod,
  Service: service,
  ServiceStatus: (object) => filled(object, { loadBalancer: {} }),
  Secret: secret,
  Namespace: (object) => {
    const name = objectAt(object, 'metadata')['name'];
    const phase = { ...object, status: filled(objectAt(object, 'status'), { phase: 'Active' }) };
    return name === undefined ? phase : withMetadata(phase, 'labels', { 'kubernetes.io/metadata.name': name });
  },
  NodeSpec: (object) => (object['podCIDR'] === undefined ? object : filled(object, { podCIDRs: [object['podCIDR']] })),
  NodeStatus: (object) =>
    object['capacity'] === undefined ? object : filled(object, { allocatable: object['capacity'] }),
  DeploymentSpec: (object) => filled(object, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
  DeploymentStrategy: (object) => {
    const whole = filled(object, { type: 'RollingUpdate' });
    if (whole['type'] !== 'RollingUpdate') return whole;
    const rollingUpdate = filled(objectAt(whole, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
    return { ...whole, rollingUpdate };
  },
  ReplicaSetSpec: (object) => filled(object, { replicas: 1 }),
  Job: (object) => ({ ...object, spec: job(objectAt(object, 'spec')) }),
  EndpointPort: (object) => filled(object, { name: '', protocol: 'TCP' }),
  RoleRef: (object) => (object['apiGroup'] ? object : { ...object, apiGroup: rbac }),
  Subject: (object) => filled(object, object['kind'] === 'ServiceAccount' ? {} : { apiGroup: rbac }),
  CustomResourceDefinitionSpec: (object) => filled(object, { conversion: { strategy: 'None' } }),
  CustomResourceDefinitionNames: (object) => {
    const kind = String(object['kind'] ?? '');
    return filled(object, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  },
};
const rbac = 'rbac.authorization.k8s.io';

/** A struct of a built-in kind with the defaults that Kubernetes gives structs of that name. */
export function defaulted(name: string, object: JsonObject): JsonObject {
  const fill = Object.hasOwn(byStruct, name) ? byStruct[name] : undefined;
  return fill?.(object) ?? object;
}

function pullPolicyOf(image: string): string {
  const [name = '', digest] = image.split('@');
  const tag = /:([^/:]+)$/.exec(name)?.[1] ?? (digest === undefined ? 'latest' : '');
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function podSpec(spec: JsonObject): JsonObject {
  const account = spec['serviceAccountName'] ?? spec['serviceAccount'];
  return filled(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    ...(account !== undefined && { serviceAccountName: account, serviceAccount: account }),
  });
}

function pod(object: JsonObject): JsonObject {
  const spec = objectAt(object, 'spec');
  const own = (list: string) => {
    const containers = spec[list];
    return isArray(containers) && { [list]: containers.map((item) => podContainer(spec, item)) };
  };
  const filledSpec = filled({ ...spec, ...own('containers'), ...own('initContainers') }, { enableServiceLinks: true });
  return { ...object, spec: filledSpec };
}

/** Requests follow limits, and ports of the host network those of the container. */
function podContainer(spec: JsonObject, item: Json): Json {
  const { limits, requests } = objectAt(item, 'resources');
  const wanted = isObject(limits) && {
    resources: { ...objectAt(item, 'resources'), requests: { ...limits, ...objectAt(requests) } },
  };
  const { ports } = objectAt(item);
  const onHost = spec['hostNetwork'] === true &&
    isArray(ports) && {
      ports: ports.map((port) => filled(objectAt(port), { hostPort: objectAt(port)['containerPort'] ?? 0 })),
    };
  return { ...objectAt(item), ...wanted, ...onHost };
}

function service(object: JsonObject): JsonObject {
  const given = objectAt(object, 'spec');
  const spec = filled(given, { sessionAffinity: 'None', type: 'ClusterIP' });
  const type = spec['type'];
  const { sessionAffinityConfig: _, ...rest } = spec;
  const affine = spec['sessionAffinity'] === 'ClientIP';
  const timeout = objectAt(spec, 'sessionAffinityConfig', 'clientIP')['timeoutSeconds'] ?? 10_800;
  const ports = isArray(spec['ports']) && {
    ports: spec['ports'].map((port) => {
      const { targetPort = 0 } = objectAt(port);
      return targetPort === 0 || targetPort === ''
        ? { ...objectAt(port), targetPort: objectAt(port)['port'] ?? 0 }
        : port;
    }),
  };
  const outside = type === 'NodePort' || type === 'LoadBalancer';
  return {
    ...object,
    spec: filled(
      { ...rest, ...(affine && { sessionAffinityConfig: { clientIP: { timeoutSeconds: timeout } } }), ...ports },
      {
        ...(type !== 'ExternalName' && { internalTrafficPolicy: 'Cluster' }),
        ...(outside && { externalTrafficPolicy: 'Cluster' }),
        ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
      },
    ),
  };
}

function secret({ stringData, ...object }: JsonObject): JsonObject {
  const texts = Object.entries(objectAt(stringData)).map(([key, text]) => [
    key,
    Buffer.from(String(text)).toString('base64'),
  ]);
  const data = texts.length > 0 && { data: { ...objectAt(object['data']), ...Object.fromEntries(texts) } };
  return filled({ ...object, ...data }, { type: 'Opaque' });
}

function job(spec: JsonObject): JsonObject {
  const single = spec['completions'] === undefined && spec['parallelism'] === undefined;
  const policy = spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed';
  return filled(spec, {
    ...(single && { completions: 1 }),
    parallelism: 1,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 0x7fffffff,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: policy,
  });
}

function withMetadata(object: JsonObject, key: string, entries: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  return { ...object, metadata: { ...metadata, [key]: { ...objectAt(metadata, key), ...entries } } };
}
