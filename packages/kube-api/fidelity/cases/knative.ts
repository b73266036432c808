import { type Case, get, group, kubectl, mergePatch, post, put, strategicPatch } from '../case.ts';

const broker = group('eventing.knative.dev/v1', 'brokers');
const trigger = group('eventing.knative.dev/v1', 'triggers');
const table = { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };
const ready = { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Fine' }] } };
const ofTrigger = { apiVersion: 'eventing.knative.dev/v1', kind: 'Trigger' };
const shown = (name: string, apiVersion: string, kind: string): Case => {
  const path = group(apiVersion, `${kind.toLowerCase()}s`);
  const object = {
    apiVersion,
    kind,
    metadata: { name: 'web' },
    spec: { any: { thing: [1, { a: null }] }, schedule: '* * * * *', broker: 'default' },
  };
  return {
    name,
    steps: [
      post(path, { ...object, status: { early: true } }),
      mergePatch(`${path}/web/status`, { status: { ...ready.status, url: 'http://web', sinkUri: 'http://sink' } }),
      mergePatch(`${path}/web`, { spec: { more: 1 }, status: null }),
      get(path, table),
    ],
  };
};

/** Knative's kinds as plain resources; knative-crds.yaml makes them so on the real server. */
export const knativeCases: readonly Case[] = [
  shown('a Broker keeps any spec, its status is apart, and its columns show it', 'eventing.knative.dev/v1', 'Broker'),
  shown('so does a Trigger', 'eventing.knative.dev/v1', 'Trigger'),
  shown('so does an ApiServerSource', 'sources.knative.dev/v1', 'ApiServerSource'),
  shown('so does a PingSource', 'sources.knative.dev/v1', 'PingSource'),
  shown('so does a Service of Knative', 'serving.knative.dev/v1', 'Service'),
  {
    name: 'the generation of a Trigger follows its spec, and metadata is checked',
    given: [post(trigger, { ...ofTrigger, metadata: { name: 'web' }, spec: { broker: 'default' } })],
    steps: [
      mergePatch(`${trigger}/web`, { spec: { filter: { attributes: { type: 'a' } } } }),
      mergePatch(`${trigger}/web`, { metadata: { labels: { a: 'b' } } }),
      put(`${trigger}/web`, { ...ofTrigger, metadata: { name: 'web', resourceVersion: '1' }, spec: {} }),
      post(trigger, { ...ofTrigger, metadata: { name: 'Web_' }, spec: {} }),
      strategicPatch(`${trigger}/web`, {}),
      post(trigger, { metadata: { name: 'other' } }),
    ],
  },
  {
    name: 'kubectl knows Knative by its names',
    given: [
      post(broker, { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', metadata: { name: 'web' } }),
      post(group('serving.knative.dev/v1', 'services'), {
        apiVersion: 'serving.knative.dev/v1',
        kind: 'Service',
        metadata: { name: 'web' },
        spec: { template: {} },
      }),
    ],
    steps: [
      kubectl('get broker'),
      kubectl('get ksvc,triggers'),
      kubectl('api-resources --api-group=eventing.knative.dev'),
      kubectl('api-resources --api-group=serving.knative.dev'),
      kubectl('delete ksvc web'),
    ],
  },
];
