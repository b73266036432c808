import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

interface Row {
  readonly name: string;
  /** Besides the server profile. */
  readonly given: (place: Place) => readonly KubeObject[];
  readonly spec: Parameters<typeof cast.web>[1];
  readonly pairs?: true;
}

const podOfShop = (place: Place): readonly KubeObject[] => [cast.pod(place, 'shop-1', { app: 'shop' })];
const labelled = (place: Place): readonly KubeObject[] => [cast.backend(place)];
const none = (): readonly KubeObject[] => [];

const checked = {
  algorithm: 'least-conn',
  healthCheck: { type: 'tcp', interval: '5s', timeout: '1s', failureThreshold: 3, successThreshold: 1 },
} as const;

/** Each service type, each discovery, each way to a certificate. */
const rows: readonly Row[] = [
  { name: 'create-tcp', given: labelled, spec: {}, pairs: true },
  { name: 'create-http', given: labelled, spec: { serviceType: 'http', expose: { domains: ['web.example.com'] } } },
  {
    name: 'create-udp',
    given: labelled,
    spec: {
      serviceType: 'udp',
      backends: { discovery: 'auto', port: 5353, replicas: 1 },
      expose: { remotePort: 5300 },
    },
  },
  {
    name: 'create-manual',
    given: none,
    spec: {
      backends: {
        discovery: 'manual',
        replicas: 1,
        endpoints: [{ host: '10.1.0.1', port: 8080, weight: 1 }],
      },
    },
  },
  {
    name: 'create-manual-by-name',
    given: (place) => [cast.plainService(place, 'shop')],
    spec: { backends: { discovery: 'manual', port: 8080, replicas: 1, endpoints: [{ host: 'shop', weight: 2 }] } },
  },
  { name: 'create-selector', given: podOfShop, spec: cast.bySelector },
  {
    name: 'create-selector-expressions',
    given: podOfShop,
    spec: {
      backends: {
        discovery: 'selector',
        port: 8080,
        replicas: 1,
        selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['shop'] }] },
      },
    },
  },
  { name: 'create-named-port', given: labelled, spec: { backends: { discovery: 'auto', port: 'http', replicas: 1 } } },
  {
    name: 'create-labelled-service',
    given: (place) => [cast.plainService(place, 'shop', { 'frp.io/service': 'web' })],
    spec: { expose: {} },
  },
  { name: 'create-generated-mtls', given: labelled, spec: cast.generated },
  {
    name: 'create-every-child',
    given: podOfShop,
    spec: { ...cast.bySelector, ...cast.generated },
    pairs: true,
  },
  {
    name: 'create-supplied-mtls',
    given: (place) => [cast.backend(place), cast.suppliedSecret(place)],
    spec: cast.supplied,
  },
  { name: 'create-without-backends', given: none, spec: {} },
  { name: 'create-with-health-check', given: labelled, spec: { loadBalancing: checked } },
  {
    name: 'create-with-workload',
    given: (place) => [cast.workload(place, 1)],
    spec: {
      backends: {
        discovery: 'auto',
        port: 8080,
        replicas: 2,
        workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' },
      },
    },
  },
];

/** A DistributedService is created where all that it needs is there, or some of it is not. */
export const create: readonly Scenario[] = [
  ...rows.map(({ name, given, spec, pairs }) =>
    cast.aboutWeb({
      name,
      given: (place) => [cast.profile(place), ...given(place)],
      when: async (user, place) => void (await user.create(cast.web(place, spec))),
      ...(pairs && { pairs }),
    }),
  ),
  cast.aboutWeb({
    name: 'create-without-profile',
    given: (place) => [cast.backend(place)],
    when: async (user, place) => void (await user.create(cast.web(place))),
  }),
  cast.aboutWeb({
    name: 'create-in-v1',
    given: (place) => [cast.profile(place), cast.backend(place)],
    when: async (user, place) => void (await user.create({ ...cast.web(place), apiVersion: 'frp.io/v1' })),
  }),
  cast.aboutWeb({
    name: 'create-and-change',
    given: (place) => [cast.profile(place), cast.backend(place)],
    when: async (user, place) => {
      await user.create(cast.web(place));
      await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
    },
  }),
  cast.aboutWeb({
    name: 'create-and-delete',
    given: (place) => [cast.profile(place), cast.backend(place)],
    when: async (user, place) => {
      await user.create(cast.web(place));
      await user.delete(cast.webRef(place));
    },
  }),
];
