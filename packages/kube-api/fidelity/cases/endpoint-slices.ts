import { at, type Case, core, del, get, group, mergePatch, post, until } from '../case.ts';
import { service } from './bodies.ts';
import { count, items, made, none, path } from './running.ts';

const slices = `${group('discovery.k8s.io/v1', 'endpointslices')}?labelSelector=kubernetes.io/service-name%3Dweb`;
/** EndpointSlices, which the controllers write for Services. */
export const endpointSlicesCases: readonly Case[] = [
  {
    name: 'a Service gets an EndpointSlice with its ready Pods',
    given: [
      post(
        core('services'),
        service({ ports: [{ name: 'http', port: 80, targetPort: 8080 }] }, { labels: { team: 'a' } }),
      ),
      ...made(2),
    ],
    steps: [until(slices, (body) => readyEndpoints(body) === 2, { view: (body) => items(body).map(sliceSummary) })],
  },
  {
    name: 'the EndpointSlice of a headless Service says so',
    given: [post(core('services'), service({ clusterIP: 'None' })), ...made(1)],
    steps: [until(slices, (body) => readyEndpoints(body) === 1, { view: (body) => items(body).map(sliceSummary) })],
  },
  {
    name: 'an EndpointSlice follows the Pods of its Service',
    given: [post(core('services'), service()), ...made(2), until(slices, (body) => readyEndpoints(body) === 2)],
    steps: [
      mergePatch(path, { spec: { replicas: 1 } }, { view: (body) => at(body, 'spec.replicas') }),
      until(slices, (body) => readyEndpoints(body) === 1 && endpoints(body).length === 1, {
        view: (body) => items(body).map(sliceSummary),
      }),
      del(core('services', 'web'), undefined, { view: (body) => at(body, 'kind') }),
      until(slices, none, { view: count }),
    ],
  },
  {
    name: 'a Service without a selector gets no EndpointSlice',
    given: [post(core('services'), service({ selector: undefined }))],
    steps: [get(slices, { view: count })],
  },
];

function endpoints(body: unknown): readonly unknown[] {
  return items(body).flatMap((slice) => (at(slice, 'endpoints') as unknown[] | null) ?? []);
}

function readyEndpoints(body: unknown): number {
  return endpoints(body).filter((endpoint) => at(endpoint, 'conditions.ready') === true).length;
}

/** The addresses of Pods and the order of endpoints are the machine's. */
function sliceSummary(slice: unknown): unknown {
  const all = endpoints({ items: [slice] }).map((endpoint) => ({
    ...(endpoint as object),
    addresses: (at(endpoint, 'addresses') as unknown[]).length,
    targetRef: { ...(at(endpoint, 'targetRef') as object), uid: undefined },
  }));
  const ofTrigger = { 'endpoints.kubernetes.io/last-change-trigger-time': undefined };
  const metadata = {
    ...(at(slice, 'metadata') as object),
    managedFields: undefined,
    resourceVersion: undefined,
    generation: undefined,
    annotations: { ...(at(slice, 'metadata.annotations') as object), ...ofTrigger },
  };
  return { ...(slice as object), metadata, endpoints: all };
}
