import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tcpSpec } from '../../../../test/build/objects.ts';
import { problemOf } from '../../spec/problem.ts';
import type { DistributedServiceSpec } from '../../types.ts';

const check = { type: 'tcp', interval: '5s', timeout: '1s', failureThreshold: 3, successThreshold: 1 } as const;
const auto = tcpSpec.backends;
const manual = (host: string, port?: number) =>
  ({
    discovery: 'manual',
    replicas: 1,
    endpoints: [{ host, weight: 1, ...(port !== undefined && { port }) }],
  }) as const;

const rows: readonly [sentence: string, spec: Partial<DistributedServiceSpec>, problem: RegExp | undefined][] = [
  ['a small spec is right', {}, undefined],
  ['udp with least-conn', { serviceType: 'udp', loadBalancing: { algorithm: 'least-conn' } }, /udp has no connections/],
  ['udp with random is right', { serviceType: 'udp', loadBalancing: { algorithm: 'random' } }, undefined],
  [
    'random with weights',
    {
      loadBalancing: { algorithm: 'random' },
      backends: { discovery: 'manual', replicas: 1, endpoints: [{ host: '10.0.0.1', port: 1, weight: 2 }] },
    },
    /random ignores weights/,
  ],
  [
    'udp with a check at no port',
    { serviceType: 'udp', loadBalancing: { algorithm: 'random', healthCheck: check } },
    /TCP port/,
  ],
  [
    'udp with a check at a port is right',
    { serviceType: 'udp', loadBalancing: { algorithm: 'random', healthCheck: { ...check, port: 80 } } },
    undefined,
  ],
  [
    'a path for a tcp check',
    { loadBalancing: { algorithm: 'random', healthCheck: { ...check, path: '/' } } },
    /healthCheck\.path/,
  ],
  ['manual without endpoints', { backends: { discovery: 'manual', replicas: 1 } }, /needs backends\.endpoints/],
  ['manual without a port', { backends: manual('10.0.0.1') }, /needs a port/],
  ['manual with the address of the machine', { backends: manual('127.0.0.1', 80) }, /127\.0\.0\.1/],
  ['auto without a port', { backends: { discovery: 'auto', replicas: 1 } }, /needs backends\.port/],
  ['selector without one', { backends: { ...auto, discovery: 'selector' } }, /needs backends\.selector/],
  [
    'selector with a key that is none',
    { backends: { ...auto, discovery: 'selector', selector: { matchLabels: { 'a=b,c': 'd' } } } },
    /not the key of a label/,
  ],
  [
    'selector with a key that the API server refuses in a query',
    {
      backends: {
        ...auto,
        discovery: 'selector',
        selector: { matchLabels: { 'a..b/x': 'y' }, matchExpressions: [{ key: 'app', operator: 'Exists' }] },
      },
    },
    /"a\.\.b\/x" in backends\.selector is not the key of a label/,
  ],
  [
    'selector with a value that is none',
    { backends: { ...auto, discovery: 'selector', selector: { matchLabels: { a: 'b,c' } } } },
    /not the value of a label/,
  ],
  ['domains of a tcp service', { expose: { domains: ['a.example.com'] } }, /go with serviceType http/],
  ['a remote port of an http service', { serviceType: 'http', expose: { remotePort: 1 } }, /remotePort goes with/],
  ['a certificate that nobody names', { security: { mtls: { enabled: true, autoGenerate: false } } }, /secretName/],
];
for (const [sentence, spec, problem] of rows) {
  test(sentence, () => {
    const found = problemOf({ ...tcpSpec, ...spec });
    if (problem === undefined) assert.equal(found, undefined);
    else assert.match(found ?? 'nothing', problem);
  });
}
