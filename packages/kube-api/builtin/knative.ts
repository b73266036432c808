import type { Column, Kind } from '../schema/kind.ts';
import { objectMeta } from './definitions.ts';

type Row = Pick<Kind, 'group' | 'kind' | 'shortNames' | 'categories'> & {
  readonly columns: Readonly<Record<string, string>>;
};

const eventing = { group: 'eventing.knative.dev', shortNames: [], categories: ['all', 'knative', 'eventing'] };
const messaging = { group: 'messaging.knative.dev', categories: ['all', 'knative', 'messaging'] };
const sources = { group: 'sources.knative.dev', shortNames: [], categories: ['all', 'knative', 'sources'] };
const sink = { Sink: '.status.sinkUri' };
const rows: readonly Row[] = [
  { ...eventing, kind: 'Broker', columns: { URL: '.status.address.url' } },
  { ...eventing, kind: 'Trigger', columns: { Broker: '.spec.broker', Subscriber_URI: '.status.subscriberUri' } },
  { ...messaging, kind: 'InMemoryChannel', shortNames: ['imc'], columns: { URL: '.status.address.url' } },
  { ...messaging, kind: 'Subscription', shortNames: ['sub'], columns: {} },
  { ...sources, kind: 'ApiServerSource', columns: sink },
  { ...sources, kind: 'ContainerSource', columns: sink },
  { ...sources, kind: 'PingSource', columns: { ...sink, Schedule: '.spec.schedule' } },
  {
    group: 'serving.knative.dev',
    kind: 'Service',
    shortNames: ['kservice', 'ksvc'],
    categories: ['all', 'knative', 'serving'],
    columns: {
      URL: '.status.url',
      LatestCreated: '.status.latestCreatedRevisionName',
      LatestReady: '.status.latestReadyRevisionName',
    },
  },
];
const ready = '.status.conditions[?(@.type=="Ready")]';
const common: readonly Column[] = [
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Ready', type: 'string', jsonPath: `${ready}.status` },
  { name: 'Reason', type: 'string', jsonPath: `${ready}.reason` },
];

/** The kinds of Knative that the mesh runs itself: plain resources that keep any spec. */
export function knativeKinds(): readonly Kind[] {
  const text = { type: 'string' };
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const properties = { apiVersion: text, kind: text, metadata: objectMeta(), spec: open, status: open };
  return rows.map(({ columns, ...names }) => ({
    ...names,
    version: 'v1',
    storageVersion: 'v1',
    plural: `${names.kind.toLowerCase()}s`,
    singular: names.kind.toLowerCase(),
    namespaced: true,
    schema: { type: 'object', properties },
    hasStatus: true,
    columns: [...Object.entries(columns).map(([name, jsonPath]) => ({ name, type: 'string', jsonPath })), ...common],
    custom: true,
  }));
}
