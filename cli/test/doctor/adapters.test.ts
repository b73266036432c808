import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { judgeSources } from '../../doctor/checks/sources.ts';
import type { Seen } from '../../doctor/seen.ts';
import { deployments, empty, judged, type Row, ready, thing, wanting } from './scene.ts';

const source = thing('sources.knative.dev/v1', 'ApiServerSource', { status: ready });
const ping = thing('sources.knative.dev/v1', 'PingSource', { status: ready });
const pod = (status: object, name = 'x', metadata: object = {}) =>
  thing('v1', 'Pod', {
    metadata: { name: 'p', labels: { 'eventing.knative.dev/sourceName': name }, ...metadata },
    status,
  } as Partial<Thing>);
const mine = thing('apps/v1', 'Deployment', {
  metadata: { name: 'd', labels: { 'eventing.knative.dev/sourceName': 'x' } },
  spec: { replicas: 1 },
});
const adapter = deployments('knative-eventing', 'pingsource-mt-adapter');
const of = (more: Partial<Seen>) =>
  judgeSources(
    {
      ...empty,
      sources: { value: [source] },
      pings: { value: [ping] },
      adapters: { value: [pod(ready)] },
      adapterDeployments: { value: [mine] },
      eventingDeployments: { value: adapter },
      ...more,
    },
    wanting(source, ping),
  );
const oks = ['ok ApiServerSource knudge/x is ready', 'ok PingSource knudge/x is ready'];
const [good, tick] = oks as [string, string];
const dead = 'problem ApiServerSource knudge/x has no Pod that is ready, whatever its conditions say';
const still = 'problem PingSource knudge/x has nothing that ticks, whatever its conditions say';
const local = { ...ready, sinkUri: 'http://127.0.0.1:8080/knudge/knudge' };

const rows: readonly Row[] = [
  { name: 'a source with a Pod that is ready', found: of({}), wanted: oks },
  { name: 'a source without a Pod', found: of({ adapters: { value: [] } }), wanted: [dead, tick] },
  { name: 'a Pod of another source', found: of({ adapters: { value: [pod(ready, 'y')] } }), wanted: [dead, tick] },
  {
    name: 'a Pod that is not ready',
    found: of({ adapters: { value: [pod({ conditions: [{ type: 'Ready', status: 'False' }] })] } }),
    wanted: [dead, tick],
  },
  {
    name: 'a Pod on its way out',
    found: of({ adapters: { value: [pod(ready, 'x', { deletionTimestamp: '2026-11-21T11:55:00Z' })] } }),
    wanted: [dead, tick],
  },
  {
    name: 'a source that is not ready is told once',
    found: of({ adapters: { value: [] }, sources: { value: [{ ...source, status: {} }] } }),
    wanted: ['problem ApiServerSource knudge/x is not ready', tick],
  },
  {
    name: 'Pods that may not be read',
    found: of({ adapters: { why: 'forbidden' } }),
    wanted: [good, 'unchecked not checked: whether a Pod of ApiServerSource knudge/x is ready (forbidden)', tick],
  },
  {
    name: 'the adapter of PingSources at 0 replicas',
    found: of({
      eventingDeployments: { value: adapter.map((one) => ({ ...one, spec: { replicas: 0 }, status: {} })) },
    }),
    wanted: [good, still],
  },
  {
    name: 'the adapter of PingSources is not there',
    found: of({ eventingDeployments: { value: deployments('knative-eventing', 'eventing-controller') } }),
    wanted: [good, still],
  },
  {
    name: 'no Deployment is seen where Knative usually is',
    found: of({ eventingDeployments: { value: [] } }),
    wanted: [...oks, 'unchecked not checked: whether anything ticks for PingSource knudge/x'],
  },
  {
    name: 'Deployments that may not be read',
    found: of({ eventingDeployments: { why: 'forbidden' } }),
    wanted: [...oks, 'unchecked not checked: whether anything ticks for PingSource knudge/x (forbidden)'],
  },
  {
    name: 'a mesh, whose sources are no Pods',
    found: of({
      adapters: { value: [] },
      eventingDeployments: { value: [] },
      sources: { value: [{ ...source, status: local }] },
      pings: { value: [{ ...ping, status: local }] },
    }),
    wanted: oks,
  },
];
for (const row of rows) judged(row);
