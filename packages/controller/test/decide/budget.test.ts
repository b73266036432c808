import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DistributedServiceSpec } from '../../../../resources/distributed-service/types.ts';
import { distributedService, message, object } from '../../../../test/build/objects.ts';
import { resourceOf } from '../../../../test/faults/oracles/managed.ts';
import { firstBudget, passBudget } from '../../decide/budget.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

/** What one pass over it may cost in all. */
function budgetOf(owner: KubeObject, listed: readonly KubeObject[] = []): readonly [reads: number, writes: number] {
  const resource = resourceOf(owner) ?? assert.fail(owner.kind);
  const first = firstBudget(resource, refOf(owner), 'knudge');
  const then = passBudget(resource, owner, new Map([['own-claims', listed]]));
  return [first.reads + then.reads, first.writes + then.writes];
}

const many = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, at) => make(at));
const service = (spec: Partial<DistributedServiceSpec>) => distributedService('web', spec);
const http = (expose: DistributedServiceSpec['expose'] = {}) => service({ serviceType: 'http', expose });
const manual = (hosts: readonly string[]) =>
  service({
    backends: { discovery: 'manual', port: 80, replicas: 1, endpoints: hosts.map((host) => ({ host, weight: 1 })) },
    expose: {},
  });
const scaled = service({
  backends: {
    discovery: 'auto',
    port: 80,
    replicas: 1,
    workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' },
  },
  expose: {},
});

const rows: readonly (readonly [what: string, owner: KubeObject, reads: number, writes: number])[] = [
  ['a Message', message(), 3, 3],
  ['a service that wants nothing', service({ expose: {} }), 18, 13],
  ['a service that wants a port', service({}), 72, 16],
  ['one with 256 endpoints', manual(many(256, (at) => `s${at}`)), 26, 13],
  ['one that scales a workload', scaled, 52, 13],
  ['one with a domain', http({ domains: ['a.example.com'] }), 72, 16],
  ['one with 32 domains', http({ domains: many(32, (at) => `a${at}.example.com`) }), 444, 47],
  ['one with 32 domains by 2 paths', http({ domains: many(32, (at) => `a${at}.b`), locations: ['/', '/a'] }), 508, 47],
];

describe('what one pass may cost', () => {
  for (const [what, owner, reads, writes] of rows) {
    it(`${what}: ${reads} reads, ${writes} writes`, () => assert.deepEqual(budgetOf(owner), [reads, writes]));
  }

  it('grows with nothing but the spec and what earlier specs have left: neither with labels nor with names nor with the status', () => {
    const own = service({});
    const labels = Object.fromEntries(many(10_000, (at) => `claim.frp.io/${at}`).map((key) => [key, 'held']));
    const metadata = { ...own.metadata, labels, annotations: labels, finalizers: many(100, (at) => `a/${at}`) };
    const status = { endpoints: many(10_000, (at) => `10.0.0.${at}`), serverProfile: 'x/y' };
    assert.deepEqual(budgetOf({ ...own, metadata, status } as KubeObject), budgetOf(own));
  });

  it('has a write for each Claim of earlier specs, 128 at most', () => {
    const claims = (count: number) => many(count, (at) => `c${at}`).map((name) => object('Claim', name));
    const [reads, writes] = budgetOf(service({}));
    assert.deepEqual(budgetOf(service({}), claims(20)), [reads, writes + 20]);
    assert.deepEqual(budgetOf(service({}), claims(5000)), [reads, writes + 128]);
  });

  it('is that of a service which names nothing, where it is being deleted or its spec makes no sense', () => {
    const [reads, writes] = budgetOf(service({ expose: {} }));
    const named = manual(many(100, (at) => `s${at}`));
    const leaving = { ...named, metadata: { ...named.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    assert.deepEqual(budgetOf(leaving), [reads, writes]);
    for (const spec of [{}, { ...named.spec, backends: {} }, { ...named.spec, serviceType: 'sctp' }])
      assert.deepEqual(budgetOf({ ...named, spec } as KubeObject), [reads, writes]);
  });
});
