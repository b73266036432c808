import { defineController } from '../packages/controller/functions/define-controller.ts';
import { defineFunction } from '../packages/controller/functions/define-function.ts';
import { itselfChanged } from '../packages/controller/functions/itself-changed.ts';
import type { FunctionRow } from '../packages/controller/functions/rows.ts';
import { logRows, resyncRow, standardTriggers } from '../packages/controller/functions/standard.ts';
import { checks } from '../resources/distributed-service/doctor/checks.ts';
import { declared } from '../resources/managed/declared.ts';
import { equip } from '../resources/managed/equip.ts';
import { settings } from '../resources/managed/settings.ts';
import { claimChanged } from './claim-changed.ts';
import { configMapChanged } from './config-map-changed.ts';
import { deployed, woken } from './deployed.ts';
import { deploymentChanged } from './deployment-changed.ts';
import { distributedServiceChanged } from './distributed-service-changed.ts';
import { endpointSliceChanged } from './endpoint-slice-changed.ts';
import { frpGate, keepShut } from './frp-gate.ts';
import { podChanged } from './pod-changed.ts';
import { resyncDue } from './resync-due.ts';
import { rights } from './rights.ts';
import { secretChanged } from './secret-changed.ts';
import { serviceChanged } from './service-changed.ts';

const serves = 'frp.io/service';
const owned = 'knudge.dev/owner-uid';

/** Every function by its stem: the only list. */
export const functions = {
  'distributed-service-changed': defineFunction({
    handle: distributedServiceChanged,
    kind: 'frp.io/DistributedService',
    looksAt: 'of others',
  }),
  'claim-changed': defineFunction({
    handle: claimChanged,
    kind: 'frp.io/Claim',
    looksAt: 'of others',
  }),
  'message-changed': defineFunction({
    handle: itselfChanged,
    kind: 'myorg.dev/Message',
    looksAt: 'of others',
  }),
  'pod-changed': defineFunction({
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
  }),
  'service-changed': defineFunction({
    handle: serviceChanged,
    kind: '/Service',
    labels: [serves, owned],
    looksAt: [],
  }),
  'config-map-changed': defineFunction({
    handle: configMapChanged,
    kind: '/ConfigMap',
    labels: ['frp.io/server-profile', owned],
    looksAt: [],
  }),
  'secret-changed': defineFunction({
    handle: secretChanged,
    kind: '/Secret',
    // Those that a DistributedService names carry no label of ours.
    mode: 'Reference',
    looksAt: [],
  }),
  'deployment-changed': defineFunction({
    handle: deploymentChanged,
    kind: 'apps/Deployment',
    labels: [owned],
    looksAt: ['observedGeneration', 'replicas', 'updatedReplicas', 'availableReplicas', 'conditions/ReplicaFailure'],
  }),
  'endpoint-slice-changed': defineFunction({
    handle: endpointSliceChanged,
    kind: 'discovery.k8s.io/EndpointSlice',
    labels: [serves],
    looksAt: [],
  }),
  'resync-due': resyncRow(resyncDue),
  ...logRows,
  'frp-gate': { wakes: 'question', handle: frpGate, failed: keepShut },
} as const satisfies Record<string, FunctionRow>;

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

/** Triggers beside those that have the name of their function. */
export const otherTriggers = standardTriggers;

/** The controller that Knudge is. */
export const controller = defineController({
  resources: declared,
  functions,
  services,
  checks,
  deployed,
  woken,
  rights,
  settings,
  equip,
});

export const { looksAt, watches, serviceNames, processNames } = controller;

/** The name of the Knative Service that serves a function, and of its process. */
export const serviceOf: (stem: Stem) => string = controller.serviceOf;

/** The functions that a Knative Service serves, in the order of the table. */
export const stemsOf = controller.stemsOf as (service: string) => readonly Stem[];
