import type { Json, JsonObject } from '../json.ts';
import { isObject, objectAt } from '../json.ts';
import { ageOf } from './age.ts';
import type { Cells } from './cell.ts';
import { first, labels, shortened } from './cell-texts.ts';
import { scalerTargets } from './cells-scaler.ts';
import { findPath } from './json-path.ts';

const volume: Cells = {
  status: (object) =>
    first(object, '.metadata.deletionTimestamp') === '' ? first(object, '.status.phase') : 'Terminating',
  storageclass: '.spec.storageClassName',
  volumeattributesclass: '.spec.volumeAttributesClassName|<unset>',
  volumemode: '.spec.volumeMode|<unset>',
};

/** The cells of the kinds that are stored and that no controller here runs. */
export const storedCells: Readonly<Record<string, Cells>> = {
  StatefulSet: { ready: (set) => `${Number(first(set, '.status.readyReplicas'))}/${first(set, '.spec.replicas')}` },
  DaemonSet: {
    desired: '#.status.desiredNumberScheduled',
    current: '#.status.currentNumberScheduled',
    ready: '#.status.numberReady',
    'up-to-date': '#.status.updatedNumberScheduled',
    available: '#.status.numberAvailable',
    'node selector': (set) => labels(objectAt(set, 'spec', 'template', 'spec', 'nodeSelector')),
  },
  CronJob: {
    schedule: '.spec.schedule',
    timezone: '.spec.timeZone|<none>',
    suspend: (job) => (first(job, '.spec.suspend') === 'true' ? 'True' : 'False'),
    active: (job) => findPath(job, '.status.active[*]').length,
    'last schedule': (job, now) => lastOf(first(job, '.status.lastScheduleTime'), now),
    containers: '.spec.jobTemplate.spec.template.spec.containers[*].name',
    images: '.spec.jobTemplate.spec.template.spec.containers[*].image',
    selector: (job) => labels(objectAt(job, 'spec', 'jobTemplate', 'spec', 'selector', 'matchLabels')),
  },
  ReplicationController: {
    desired: '#.spec.replicas',
    current: '#.status.replicas',
    ready: '#.status.readyReplicas',
    selector: (set) => labels(objectAt(set, 'spec', 'selector')),
  },
  PodTemplate: {
    containers: '.template.spec.containers[*].name',
    images: '.template.spec.containers[*].image',
    'pod labels': (object) => labels(objectAt(object, 'template', 'metadata', 'labels')),
  },
  ControllerRevision: { controller: controllerOf, revision: '#.revision' },
  PriorityClass: {
    value: '#.value',
    'global-default': (object) => object['globalDefault'] === true,
    preemptionpolicy: '.preemptionPolicy',
  },
  PersistentVolumeClaim: {
    ...volume,
    volume: '.spec.volumeName',
    capacity: (claim) => (isBound(claim) ? first(claim, '.status.capacity.storage') || '0' : ''),
    'access modes': (claim) => (isBound(claim) ? modesOf(claim, '.status.accessModes[*]') : ''),
  },
  PersistentVolume: {
    ...volume,
    capacity: '.spec.capacity.storage|0',
    'access modes': (object) => modesOf(object, '.spec.accessModes[*]'),
    'reclaim policy': '.spec.persistentVolumeReclaimPolicy',
    claim: (object) => {
      const { namespace = '', name = '' } = objectAt(object, 'spec', 'claimRef');
      return name === '' ? '' : `${String(namespace)}/${String(name)}`;
    },
    reason: '.status.reason',
  },
  StorageClass: {
    provisioner: '.provisioner',
    reclaimpolicy: '.reclaimPolicy|Delete',
    volumebindingmode: '.volumeBindingMode|Immediate',
    allowvolumeexpansion: (object) => object['allowVolumeExpansion'] === true,
  },
  ResourceQuota: { request: (quota) => amountsOf(quota, false), limit: (quota) => amountsOf(quota, true) },
  NetworkPolicy: { 'pod-selector': (policy) => labels(objectAt(policy, 'spec', 'podSelector', 'matchLabels')) },
  Ingress: {
    class: '.spec.ingressClassName|<none>',
    hosts: (ingress) => shortened(findPath(ingress, '.spec.rules[*].host'), '*'),
    address: (ingress) =>
      findPath(ingress, '.status.loadBalancer.ingress[*]')
        .map((one) => first(one, '.ip') || first(one, '.hostname'))
        .join(','),
    ports: (ingress) => (findPath(ingress, '.spec.tls[*]').length > 0 ? '80, 443' : '80'),
  },
  IngressClass: {
    controller: '.spec.controller',
    parameters: (object) => {
      const { kind = '', apiGroup, name = '' } = objectAt(object, 'spec', 'parameters');
      if (kind === '') return '<none>';
      return `${String(kind)}${apiGroup === undefined ? '' : `.${String(apiGroup)}`}/${String(name)}`;
    },
  },
  Endpoints: { endpoints: (object) => shortened(findPath(object, '.subsets[*]').flatMap(addressesOf), '<none>') },
  PodDisruptionBudget: {
    'min available': '.spec.minAvailable|N/A',
    'max unavailable': '.spec.maxUnavailable|N/A',
    'allowed disruptions': '#.status.disruptionsAllowed',
  },
  HorizontalPodAutoscaler: {
    reference: (object) =>
      `${first(object, '.spec.scaleTargetRef.kind')}/${first(object, '.spec.scaleTargetRef.name')}`,
    targets: scalerTargets,
    minpods: '.spec.minReplicas|<unset>',
    maxpods: '#.spec.maxReplicas',
    replicas: '#.status.currentReplicas',
  },
  ValidatingAdmissionPolicy: {
    validations: (policy) => findPath(policy, '.spec.validations[*]').length,
    paramkind: (policy) => {
      const { apiVersion = '', kind = '' } = objectAt(policy, 'spec', 'paramKind');
      return kind === '' ? '<unset>' : `${String(apiVersion)}/${String(kind)}`;
    },
  },
  ValidatingAdmissionPolicyBinding: {
    policyname: '.spec.policyName',
    paramref: (binding) => {
      const { namespace, name = '' } = objectAt(binding, 'spec', 'paramRef');
      return name === '' ? '<unset>' : `${String(namespace ?? '*')}/${String(name)}`;
    },
  },
};

function lastOf(moment: string, now: number): string {
  return moment === '' ? '<none>' : ageOf(moment, now);
}

function isBound(claim: JsonObject): boolean {
  return first(claim, '.spec.volumeName') !== '';
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function modesOf(object: JsonObject, path: string): string {
  return Object.keys(shortModes)
    .filter((mode) => findPath(object, path).includes(mode))
    .map((mode) => shortModes[mode])
    .join(',');
}

function controllerOf(object: JsonObject): string {
  const [owner] = findPath(object, '.metadata.ownerReferences[?(@.controller==true)]');
  if (!isObject(owner)) return '<none>';
  const [group = ''] = first(owner, '.apiVersion').split('/').slice(0, -1);
  return `${first(owner, '.kind').toLowerCase()}${group === '' ? '' : `.${group}`}/${first(owner, '.name')}`;
}

/** `pods: 1/4`: what is used of each resource that a quota bounds. */
function amountsOf(quota: JsonObject, isLimit: boolean): string {
  const { hard, used } = objectAt(quota, 'status');
  const names = Object.keys(objectAt(hard)).filter((name) => name.startsWith('limits.') === isLimit);
  const said = names.sort().map((name) => `${name}: ${objectAt(used)[name] ?? 0}/${objectAt(hard)[name]}`);
  return said.join(', ');
}

function addressesOf(subset: Json): readonly string[] {
  const ips = findPath(subset, '.addresses[*].ip').map(String);
  const ports = findPath(subset, '.ports[*].port');
  return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => `${ip}:${String(port)}`));
}
