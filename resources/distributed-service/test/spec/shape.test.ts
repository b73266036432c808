import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking, distributedService, tcpSpec } from '../../../../test/build/objects.ts';
import { inputsOf } from '../../inputs.ts';
import { problemOf } from '../../spec/problem.ts';
import type { DistributedServiceSpec } from '../../types.ts';

const { backends } = tcpSpec;

/** Specs that only a definition older or laxer than ours lets through. */
const rows: readonly [sentence: string, spec: unknown, problem: string][] = [
  ['no spec at all', undefined, 'spec.serviceType must be one of http, tcp, udp'],
  ['no type', { ...tcpSpec, serviceType: undefined }, 'spec.serviceType must be one of http, tcp, udp'],
  ['a type that there is not', { ...tcpSpec, serviceType: 'sctp' }, 'spec.serviceType must be one of http, tcp, udp'],
  ['no profile', { ...tcpSpec, serverProfile: undefined }, 'spec.serverProfile must be a string'],
  ['no backends', { ...tcpSpec, backends: undefined }, 'spec.backends.discovery must be one of manual, auto, selector'],
  [
    'an unknown discovery',
    { ...tcpSpec, backends: { ...backends, discovery: 'dns' } },
    'spec.backends.discovery must be one of manual, auto, selector',
  ],
  [
    'no replicas',
    { ...tcpSpec, backends: { ...backends, replicas: undefined } },
    'spec.backends.replicas must be a number',
  ],
  ['no balancing', { ...tcpSpec, loadBalancing: undefined }, 'spec.loadBalancing.algorithm must be a string'],
  ['a word for the balancing', { ...tcpSpec, loadBalancing: 'fair' }, 'spec.loadBalancing.algorithm must be a string'],
  ['no security', { ...tcpSpec, security: undefined }, 'spec.security.mtls.enabled must be a boolean'],
  ['security without TLS', { ...tcpSpec, security: {} }, 'spec.security.mtls.enabled must be a boolean'],
  ['null for TLS', { ...tcpSpec, security: { mtls: null } }, 'spec.security.mtls.enabled must be a boolean'],
  [
    'half of TLS',
    { ...tcpSpec, security: { mtls: { enabled: true } } },
    'spec.security.mtls.autoGenerate must be a boolean',
  ],
];
for (const [sentence, unread, problem] of rows) {
  test(`${sentence} is a problem of the spec, and nothing is asked for`, () => {
    const spec = unread as DistributedServiceSpec;
    assert.equal(problemOf(spec), problem);
    assert.deepEqual(inputsOf({ ...distributedService('web'), spec }, asking), []);
  });
}
