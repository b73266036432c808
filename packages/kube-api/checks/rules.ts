import { isIP } from 'node:net';
import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import { parseQuantity } from '../schema/quantity.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../schema/texts.ts';
import { labelCauses } from './metadata.ts';
import { dnsLabel, portName } from './names.ts';
import { addressWords } from './services.ts';
import { progressCauses, selectorCauses, strategyCauses, templateCauses } from './workloads.ts';

/** The faults of a field, given the struct that has it and the whole object. */
export type Rule = (
  value: Json | undefined,
  field: string,
  around: { readonly object: JsonObject; readonly root: JsonObject },
) => readonly Cause[];

const free: Rule = () => [];
const needed: Rule = (value, field) => (value === undefined || value === '' || value === null ? [required(field)] : []);
const notEmpty =
  (why = ''): Rule =>
  (value, field) =>
    listOf(value).length > 0 ? [] : [required(field, why)];
const named =
  (rule: (text: string) => readonly string[]): Rule =>
  (value, field) =>
    value ? rule(String(value)).map((why) => invalidValue(field, value, why)) : [];
const oneOf =
  (...words: readonly string[]): Rule =>
  (value, field) =>
    words.includes(String(value ?? '')) ? [] : [notSupported(field, value ?? '', words)];
const both =
  (one: Rule, other: Rule): Rule =>
  (value, field, around) => [...one(value, field, around), ...other(value, field, around)];
const port: Rule = (value, field) =>
  typeof value === 'number' && (value < 1 || value > 65_535)
    ? [invalidValue(field, value, 'must be between 1 and 65535, inclusive')]
    : [];
const notNegative: Rule = (value, field) =>
  typeof value === 'number' && value < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : [];
const deadline: Rule = (value, field) =>
  typeof value === 'number' && value < 1
    ? [invalidValue(field, value, 'must be between 1 and 2147483647, inclusive')]
    : [];
const labels: Rule = (value, field) => labelCauses(field, objectAt(value));

/**
 * Rules of fields by Go's name of their struct (kube-apiserver 1.35), in the order in which the server checks them; they
 * replace the words of a field's schema, too.
 */
export const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  PodSpec: {
    activeDeadlineSeconds: deadline,
    volumes: free,
    containers: notEmpty(),
    initContainers: free,
    restartPolicy: oneOf('Always', 'OnFailure', 'Never'),
    dnsPolicy: oneOf('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'),
    nodeSelector: labels,
  },
  Container: {
    name: both(needed, named(dnsLabel)),
    image: needed,
    readinessProbe: free,
    ports: free,
    env: free,
    volumeMounts: free,
  },
  Volume: { name: both(needed, named(dnsLabel)) },
  ContainerPort: {
    name: named(portName),
    containerPort: (value, field, around) => (value ? port(value, field, around) : [required(field)]),
  },
  EnvVar: { name: needed },
  VolumeMount: { name: mounted, mountPath: needed },
  Probe: { httpGet: free, tcpSocket: oneHandler, periodSeconds: notNegative, timeoutSeconds: notNegative },
  HTTPGetAction: { port },
  TCPSocketAction: { port },
  ResourceRequirements: { requests: withinLimits },
  DeploymentSpec: {
    replicas: notNegative,
    selector: selectorCauses,
    template: templateCauses,
    strategy: strategyCauses,
    minReadySeconds: notNegative,
    revisionHistoryLimit: notNegative,
    progressDeadlineSeconds: both(notNegative, progressCauses),
  },
  DeploymentStrategy: { type: free },
  ReplicaSetSpec: {
    replicas: notNegative,
    selector: selectorCauses,
    template: templateCauses,
    minReadySeconds: notNegative,
  },
  JobSpec: {
    parallelism: notNegative,
    completions: notNegative,
    activeDeadlineSeconds: notNegative,
    backoffLimit: notNegative,
  },
  ServiceSpec: { ports: servicePorts, externalName: free, selector: labels },
  ServicePort: {
    name: (value, field, { root }) =>
      value || listOf(objectAt(root, 'spec')['ports']).length < 2
        ? named(dnsLabel)(value, field, { object: root, root })
        : [required(field)],
    port,
    protocol: oneOf('SCTP', 'TCP', 'UDP'),
    targetPort: (value, field, around) => (typeof value === 'string' ? named(portName) : port)(value, field, around),
  },
  LeaseSpec: {
    leaseDurationSeconds: (value, field) => (value === 0 ? [invalidValue(field, value, 'must be greater than 0')] : []),
    leaseTransitions: notNegative,
  },
  PolicyRule: { verbs: notEmpty('verbs must contain at least one value') },
  RoleBinding: { roleRef: free },
  RoleRef: {
    kind: (value, field, around) =>
      oneOf(...(around.root['kind'] === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole']))(
        value,
        field,
        around,
      ),
    name: needed,
  },
  Subject: { kind: oneOf('ServiceAccount', 'User', 'Group'), name: needed },
  Endpoint: { addresses: both(notEmpty('must contain at least 1 address'), addresses) },
};

function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

function mounted(name: Json | undefined, field: string, { root }: { root: JsonObject }): readonly Cause[] {
  const spec = objectAt(root, 'spec');
  const { volumes } = isObject(spec['template']) ? objectAt(spec, 'template', 'spec') : spec;
  const message = `Not found: ${JSON.stringify(name)}`;
  const isThere = listOf(volumes).some((volume) => objectAt(volume)['name'] === name);
  return isThere ? [] : [{ reason: 'FieldValueNotFound', message, field }];
}

function oneHandler(_: Json | undefined, field: string, { object }: { object: JsonObject }): readonly Cause[] {
  const at = field.slice(0, field.lastIndexOf('.'));
  const [first, ...more] = ['exec', 'httpGet', 'tcpSocket', 'grpc'].filter((handler) => isObject(object[handler]));
  if (first === undefined) return [required(at, 'must specify a handler type')];
  return more.map((handler) => forbiddenField(`${at}.${handler}`, 'may not specify more than 1 handler type'));
}

function withinLimits(requests: Json | undefined, field: string, { object }: { object: JsonObject }): readonly Cause[] {
  return Object.entries(objectAt(requests)).flatMap(([name, amount]) => {
    const limit = objectAt(object, 'limits')[name];
    const most = limit === undefined ? undefined : parseQuantity(String(limit));
    if (most === undefined || (parseQuantity(String(amount)) ?? 0n) <= most) return [];
    return [invalidValue(field, amount, `must be less than or equal to ${name} limit of ${limit}`)];
  });
}

function servicePorts(ports: Json | undefined, field: string, { object }: { object: JsonObject }): readonly Cause[] {
  const { type, clusterIP, externalName } = object;
  if (type === 'ExternalName') return externalName ? [] : [required('spec.externalName')];
  return listOf(ports).length > 0 || clusterIP === 'None' ? [] : [required(field)];
}

function addresses(value: Json | undefined, field: string, { root }: { root: JsonObject }): readonly Cause[] {
  const fits = (text: Json) => root['addressType'] === 'FQDN' || isIP(String(text)) > 0;
  return listOf(value).flatMap((text, index) =>
    fits(text) ? [] : [invalidValue(`${field}[${index}]`, text, addressWords)],
  );
}
