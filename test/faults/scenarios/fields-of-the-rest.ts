import * as cast from './cast.ts';
import { type FieldRow, httpCheck, tcpCheck } from './field-row.ts';

const balancing = (check: typeof tcpCheck | typeof httpCheck) => ({
  loadBalancing: { algorithm: 'round-robin', healthCheck: check } as const,
});
const check = (change: Readonly<Record<string, string | number>>) => ({ loadBalancing: { healthCheck: change } });
const http = (expose: Readonly<Record<string, readonly string[] | string>>) =>
  ({ serviceType: 'http', expose: { domains: ['web.example.com'], ...expose } }) as const;

/** Every other field of a DistributedService. */
export const fieldsOfTheRest: readonly FieldRow[] = [
  { field: 'serviceType', from: {}, to: { serviceType: 'http', expose: { remotePort: null, subdomain: 'web' } } },
  {
    field: 'serverProfile',
    from: {},
    to: { serverProfile: 'second' },
    needs: (place) => [cast.profile(place, { address: 'frps2.example.com' }, 'second')],
  },
  { field: 'loadBalancing.algorithm', from: {}, to: { loadBalancing: { algorithm: 'least-conn' } } },
  { field: 'loadBalancing.healthCheck.type', from: balancing(tcpCheck), to: check({ type: 'http' }) },
  { field: 'loadBalancing.healthCheck.path', from: balancing(httpCheck), to: check({ path: '/ready' }) },
  { field: 'loadBalancing.healthCheck.port', from: balancing(tcpCheck), to: check({ port: 9090 }) },
  { field: 'loadBalancing.healthCheck.interval', from: balancing(tcpCheck), to: check({ interval: '10s' }) },
  { field: 'loadBalancing.healthCheck.timeout', from: balancing(tcpCheck), to: check({ timeout: '500ms' }) },
  {
    field: 'loadBalancing.healthCheck.failureThreshold',
    from: balancing(tcpCheck),
    to: check({ failureThreshold: 5 }),
  },
  {
    field: 'loadBalancing.healthCheck.successThreshold',
    from: balancing(tcpCheck),
    to: check({ successThreshold: 2 }),
  },
  {
    field: 'loadBalancing.healthCheck.type',
    how: 'removed',
    from: balancing(tcpCheck),
    to: { loadBalancing: { healthCheck: null } },
  },
  { field: 'security.mtls.enabled', from: {}, to: { security: { mtls: { enabled: true } } } },
  {
    field: 'security.mtls.enabled',
    how: 'removed',
    from: cast.generated,
    to: { security: { mtls: { enabled: false } } },
  },
  {
    field: 'security.mtls.autoGenerate',
    from: cast.generated,
    to: { security: { mtls: { autoGenerate: false, secretName: 'own-tls' } } },
    needs: (place) => [cast.suppliedSecret(place)],
  },
  {
    field: 'security.mtls.secretName',
    from: cast.supplied,
    to: { security: { mtls: { secretName: 'other-tls' } } },
    needs: (place) => [cast.suppliedSecret(place), cast.suppliedSecret(place, 'two', 'other-tls')],
  },
  {
    field: 'security.mtls.secretName',
    how: 'removed',
    from: cast.supplied,
    to: { security: { mtls: { secretName: null, autoGenerate: true } } },
    needs: (place) => [cast.suppliedSecret(place)],
  },
  { field: 'expose.domains[]', from: http({}), to: { expose: { domains: ['shop.example.com', 'web.example.com'] } } },
  { field: 'expose.subdomain', from: http({}), to: { expose: { subdomain: 'web' } } },
  { field: 'expose.locations[]', from: http({ locations: ['/a'] }), to: { expose: { locations: ['/a', '/b'] } } },
  {
    field: 'expose.locations[]',
    how: 'removed',
    from: http({ locations: ['/a'] }),
    to: { expose: { locations: null } },
  },
  { field: 'expose.remotePort', from: {}, to: { expose: { remotePort: 7002 } } },
  { field: 'expose.remotePort', how: 'removed', from: {}, to: { expose: null } },
];
