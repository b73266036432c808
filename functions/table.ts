import { restarted, resyncTypes, type Verb } from '../packages/controller/domain/change.ts';
import type { LooksAt } from '../packages/controller/domain/looks-at.ts';
import { claimChanged } from './claim-changed.ts';
import { configMapChanged } from './config-map-changed.ts';
import { deadLettered } from './dead-lettered.ts';
import { deploymentChanged } from './deployment-changed.ts';
import { distributedServiceChanged } from './distributed-service-changed.ts';
import { endpointSliceChanged } from './endpoint-slice-changed.ts';
import { eventRecorded } from './event-recorded.ts';
import { frpGate, keepShut } from './frp-gate.ts';
import { itselfChanged } from './itself-changed.ts';
import { podChanged } from './pod-changed.ts';
import { resyncDue } from './resync-due.ts';
import type { FunctionRow } from './rows.ts';
import { secretChanged } from './secret-changed.ts';
import { serviceChanged } from './service-changed.ts';

const serves = 'frp.io/service';
const owned = 'knudge.dev/owner-uid';
/** Every object of a kind, whatever its labels. */
const everything = '';

/** Every function by its stem: the only list. */
export const functions = {
  'distributed-service-changed': {
    wakes: 'change',
    handle: distributedServiceChanged,
    kind: 'frp.io/DistributedService',
    labels: [everything],
    looksAt: 'of others',
  },
  'claim-changed': {
    wakes: 'change',
    handle: claimChanged,
    kind: 'frp.io/Claim',
    labels: [everything],
    looksAt: 'of others',
  },
  'message-changed': {
    wakes: 'change',
    handle: itselfChanged,
    kind: 'myorg.dev/Message',
    labels: [everything],
    looksAt: 'of others',
  },
  'pod-changed': {
    wakes: 'change',
    handle: podChanged,
    kind: '/Pod',
    labels: [serves, owned],
    looksAt: [
      'phase',
      'reason',
      'message',
      'podIP',
      'podIPs',
      'conditions/Ready',
      'conditions/PodScheduled',
      'containerStatuses',
    ],
  },
  'service-changed': {
    wakes: 'change',
    handle: serviceChanged,
    kind: '/Service',
    labels: [serves, owned],
    looksAt: [],
  },
  'config-map-changed': {
    wakes: 'change',
    handle: configMapChanged,
    kind: '/ConfigMap',
    labels: ['frp.io/server-profile', owned],
    looksAt: [],
  },
  'secret-changed': {
    wakes: 'change',
    handle: secretChanged,
    kind: '/Secret',
    labels: [everything],
    // Those that a DistributedService names carry no label of ours.
    mode: 'Reference',
    looksAt: [],
  },
  'deployment-changed': {
    wakes: 'change',
    handle: deploymentChanged,
    kind: 'apps/Deployment',
    labels: [owned],
    looksAt: ['observedGeneration', 'replicas', 'updatedReplicas', 'availableReplicas', 'conditions/ReplicaFailure'],
  },
  'endpoint-slice-changed': {
    wakes: 'change',
    handle: endpointSliceChanged,
    kind: 'discovery.k8s.io/EndpointSlice',
    labels: [serves],
    looksAt: [],
  },
  'resync-due': {
    wakes: 'event',
    handle: resyncDue,
    types: [...Object.values(resyncTypes), restarted.type],
    uses: ['cluster', 'broker'],
  },
  'event-recorded': { wakes: 'event', handle: eventRecorded, types: 'every', uses: ['log'] },
  'dead-lettered': { wakes: 'event', handle: deadLettered, types: 'every', uses: ['log'] },
  'frp-gate': { wakes: 'question', handle: frpGate, failed: keepShut },
} as const satisfies Record<string, FunctionRow>;

/** What functions look at in the status of each kind, as `group/Kind`, from their rows. */
export const looksAt: Readonly<Record<string, LooksAt>> = Object.fromEntries(
  Object.values(functions).flatMap((row) => (row.wakes === 'change' ? [[row.kind, row.looksAt]] : [])),
);

export type Stem = keyof typeof functions;

/** The stems of one sort of functions. */
type StemThat<Wakes extends FunctionRow['wakes']> = {
  [Each in Stem]: (typeof functions)[Each]['wakes'] extends Wakes ? Each : never;
}[Stem];

export type ChangeStem = StemThat<'change'>;

/** Those that take CloudEvents, in whatever way. */
export type EventStem = StemThat<'change' | 'event'>;

/** Knative Services that serve several functions, each at the path of its stem; every other serves the one of its name. */
export const services = {
  'distributed-service': [
    'distributed-service-changed',
    'claim-changed',
    'pod-changed',
    'service-changed',
    'config-map-changed',
    'secret-changed',
    'deployment-changed',
    'endpoint-slice-changed',
  ],
  'event-log': ['event-recorded', 'dead-lettered'],
} as const satisfies Record<string, readonly Stem[]>;

/** Triggers beside those that have the name of their function: this one has other tries, by which a minute passes. */
export const otherTriggers = { 'source-restarted': 'resync-due' } as const satisfies Record<string, Stem>;

/** The name of the Knative Service that serves a function, and of its process. */
export function serviceOf(stem: Stem): string {
  const shared = Object.entries(services).find(([, stems]) => (stems as readonly Stem[]).includes(stem));
  return shared?.[0] ?? stem;
}

/** The functions that a Knative Service serves, in the order of the table. */
export function stemsOf(service: string): readonly Stem[] {
  return (Object.keys(functions) as Stem[]).filter((stem) => serviceOf(stem) === service);
}

/** Every Knative Service, in the order of the table. */
export const serviceNames: readonly string[] = [...new Set((Object.keys(functions) as Stem[]).map(serviceOf))];

/** Every process that can be started in a cluster: the Services, and those that deploy/overlays/per-function has in place of one. */
export const processNames: readonly string[] = [...new Set([...serviceNames, ...services['distributed-service']])];

/** The handlers of the original design by name: each is a stem and a verb. */
export const originalNames: Readonly<Record<string, { readonly stem: ChangeStem; readonly verb: Verb }>> = {
  'Pod.Added': { stem: 'pod-changed', verb: 'added' },
  'Pod.Deleted': { stem: 'pod-changed', verb: 'deleted' },
  'Service.Modified': { stem: 'service-changed', verb: 'updated' },
  'ConfigMap.Updated': { stem: 'config-map-changed', verb: 'updated' },
};
