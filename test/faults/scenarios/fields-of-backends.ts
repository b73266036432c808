import type { DistributedServiceSpec } from '../../../resources/distributed-service/types.ts';
import * as cast from './cast.ts';
import type { FieldRow } from './field-row.ts';

type Backends = DistributedServiceSpec['backends'];

const first = { host: '10.1.0.1', port: 8080, weight: 1 } as const;
const second = { host: '10.1.0.2', port: 8080, weight: 1 } as const;
const manual = (...endpoints: NonNullable<Backends['endpoints']>): { readonly backends: Backends } => ({
  backends: { discovery: 'manual', replicas: 1, endpoints },
});
const selecting = (selector: NonNullable<Backends['selector']>): { readonly backends: Backends } => ({
  backends: { discovery: 'selector', port: 8080, replicas: 1, selector },
});
const app = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' } as const;
const withApp: { readonly backends: Backends } = {
  backends: { discovery: 'auto', port: 8080, replicas: 1, workloadRef: app },
};

/** Every field below `backends`. */
export const fieldsOfBackends: readonly FieldRow[] = [
  {
    field: 'backends.discovery',
    from: {},
    to: { backends: { discovery: 'manual', port: null, endpoints: [{ ...first }] } },
  },
  { field: 'backends.port', from: {}, to: { backends: { port: 8081 } } },
  { field: 'backends.port', how: 'named', from: {}, to: { backends: { port: 'http' } } },
  { field: 'backends.endpoints[].host', from: manual(first), to: { backends: { endpoints: [{ ...second }] } } },
  {
    field: 'backends.endpoints[].host',
    how: 'named',
    from: manual(first),
    to: { backends: { endpoints: [{ ...first, host: 'shop' }] } },
    needs: (place) => [cast.plainService(place, 'shop')],
  },
  {
    field: 'backends.endpoints[].port',
    from: manual(first),
    to: { backends: { endpoints: [{ ...first, port: 8081 }] } },
  },
  {
    field: 'backends.endpoints[].weight',
    from: manual(first, second),
    to: { backends: { endpoints: [{ ...first, weight: 3 }, { ...second }] } },
  },
  {
    field: 'backends.endpoints[].host',
    how: 'removed',
    from: manual(first, second),
    to: { backends: { endpoints: [{ ...first }] } },
  },
  {
    field: 'backends.selector.matchLabels{}',
    from: selecting({ matchLabels: { app: 'shop' } }),
    to: { backends: { selector: { matchLabels: { app: 'other' } } } },
  },
  {
    field: 'backends.selector.matchLabels{}',
    how: 'removed',
    from: selecting({ matchLabels: { app: 'shop', tier: 'front' } }),
    to: { backends: { selector: { matchLabels: { tier: null } } } },
  },
  {
    field: 'backends.selector.matchExpressions[].key',
    from: selecting({ matchExpressions: [{ key: 'app', operator: 'Exists' }] }),
    to: { backends: { selector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } } },
  },
  {
    field: 'backends.selector.matchExpressions[].operator',
    from: selecting({ matchExpressions: [{ key: 'app', operator: 'Exists' }] }),
    to: { backends: { selector: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] } } },
  },
  {
    field: 'backends.selector.matchExpressions[].values[]',
    from: selecting({ matchExpressions: [{ key: 'app', operator: 'In', values: ['shop'] }] }),
    to: { backends: { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['shop', 'other'] }] } } },
  },
  { field: 'backends.replicas', from: {}, to: { backends: { replicas: 2 } } },
  {
    field: 'backends.workloadRef.name',
    from: withApp,
    to: { backends: { replicas: 2, workloadRef: { name: 'other' } } },
    needs: (place) => [cast.workload(place, 1), cast.workload(place, 1, { name: 'other' })],
  },
  {
    field: 'backends.workloadRef.kind',
    from: withApp,
    to: { backends: { replicas: 2, workloadRef: { kind: 'ReplicaSet' } } },
    needs: (place) => [cast.workload(place, 1), cast.workload(place, 1, { kind: 'ReplicaSet' })],
  },
  {
    field: 'backends.workloadRef.name',
    how: 'removed',
    from: withApp,
    to: { backends: { workloadRef: null } },
    needs: (place) => [cast.workload(place, 1)],
  },
];
