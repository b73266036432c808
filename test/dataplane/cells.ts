import type { ServerProfile } from '../../resources/distributed-service/frp/server-profile.ts';
import type { DistributedServiceSpec } from '../../resources/distributed-service/types.ts';

export interface Cell {
  readonly name: string;
  readonly spec: Pick<DistributedServiceSpec, 'serviceType' | 'loadBalancing' | 'security' | 'expose'>;
  readonly profile: ServerProfile;
}

type Expose = NonNullable<DistributedServiceSpec['expose']>;
type HealthCheck = NonNullable<DistributedServiceSpec['loadBalancing']['healthCheck']>;

const timing = { interval: '5s', timeout: '500ms', failureThreshold: 3, successThreshold: 1 } as const;
const tcpCheck: HealthCheck = { ...timing, type: 'tcp' };
const httpCheck: HealthCheck = {
  ...timing,
  type: 'http',
  path: "/healthz?a=1&b=%20~!*'();:@,$",
  interval: '5m',
  timeout: '1m',
};

const algorithms = ['round-robin', 'random', 'least-conn'] as const;
const checksOf: Readonly<Record<DistributedServiceSpec['serviceType'], readonly (HealthCheck | undefined)[]>> = {
  http: [undefined, tcpCheck, httpCheck, { ...httpCheck, port: 9090 }],
  tcp: [undefined, tcpCheck, httpCheck, { ...tcpCheck, port: 9090 }],
  udp: [undefined, { ...tcpCheck, port: 9090 }],
};
const exposesOf: Readonly<Record<DistributedServiceSpec['serviceType'], readonly (Expose | undefined)[]>> = {
  http: [
    undefined,
    { domains: ['web.example.com', '*.example.org'] },
    { subdomain: 'web' },
    { domains: ['web.example.com'], subdomain: 'web', locations: ['/', '/api/v1', "/~a-b_c.d!$&'()*+,;=:@%7B"] },
  ],
  tcp: [undefined, { remotePort: 7001 }],
  udp: [undefined, { remotePort: 53 }],
};

const base = {
  name: 'default',
  configMap: { namespace: 'shop', name: 'frps' },
  address: 'frps.example.com',
  port: 7000,
  serverName: 'frps.example.com',
  authority: '',
} as const;
export const profiles: readonly ServerProfile[] = [
  { ...base, login: { kind: 'gate' }, heartbeatInterval: 10 },
  { ...base, address: '2001:db8::1', login: { kind: 'token', secretName: 'frps-token' } },
  { ...base, login: { kind: 'none' }, heartbeatInterval: 3600 },
];

/** Every combination that the CRD allows: udp has no least-conn and no http check. */
export const cells: readonly Cell[] = (['http', 'tcp', 'udp'] as const).flatMap((serviceType) =>
  algorithms
    .filter((algorithm) => serviceType !== 'udp' || algorithm !== 'least-conn')
    .flatMap((algorithm) =>
      checksOf[serviceType].flatMap((healthCheck) =>
        exposesOf[serviceType].flatMap((expose) =>
          [true, false].flatMap((enabled) =>
            profiles.map((profile) => ({
              name: [
                serviceType,
                algorithm,
                `check ${healthCheck?.type ?? 'none'}`,
                enabled ? 'mtls' : 'no mtls',
                `expose ${JSON.stringify(expose)}`,
                profile.login.kind,
              ].join(', '),
              profile,
              spec: {
                serviceType,
                loadBalancing: { algorithm, ...(healthCheck && { healthCheck }) },
                security: { mtls: { enabled, autoGenerate: true } },
                ...(expose && { expose }),
              },
            })),
          ),
        ),
      ),
    ),
);
