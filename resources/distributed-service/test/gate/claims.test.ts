import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../../../packages/controller/domain/kube-object.ts';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService } from '../../../../test/build/objects.ts';
import { entryOf, heldClaim } from '../../claims/claim-objects.ts';
import type { Claim } from '../../claims/types.ts';
import { exposureDigest } from '../../frp/exposed-proxy.ts';
import { askGate } from '../../gate/ask.ts';
import type { DistributedService } from '../../types.ts';
import { question } from './question.ts';

const hash = (text: string): string => createHash('md5').update(text).digest('hex');
const place = { server: 'knudge/default', controllerNamespace: 'knudge', hash };
const web = distributedService(
  'web',
  { expose: { remotePort: 7001 } },
  { uid: 'uid-1', finalizers: ['frp.io/cleanup'] },
);
const told = { identityDigest: 'digest-1', exposureDigest: exposureDigest(web, { server: 'knudge/frps', hash }) };
const service = {
  ...web,
  status: { serverProfile: 'knudge/frps', ...told, conditions: [] },
} as unknown as DistributedService;
const want = { kind: 'TCPPort', value: '7001', locations: [''] } as const;
const time = '2026-01-01T00:00:00Z';

/** The Claim of the port, as this service of this namespace holds it. */
function heldBy(holder: DistributedService, namespace: string, state: Claim['spec']['state'] = 'Held'): KubeObject {
  return heldClaim({ want, namespace, services: [entryOf(holder, want)], state, since: time }, place);
}

const another = distributedService('other', {}, { uid: 'uid-2' });
const rows: readonly [sentence: string, claim: KubeObject | undefined, outcome: string][] = [
  ['held by the service', heldBy(service, 'shop'), 'in'],
  ['held by nobody, whatever its status tells', undefined, 'not-held'],
  ['held by another of its namespace', heldBy(another, 'shop'), 'conflict'],
  ['held by one of another namespace', heldBy(another, 'bank'), 'conflict'],
  ['let go by another a moment ago', heldBy(another, 'bank', 'Released'), 'conflict'],
];

describe('the gate is asked for a proxy', () => {
  for (const [sentence, claim, wanted] of rows) {
    it(`whose port is ${sentence}: ${wanted}`, async () => {
      const cluster = memoryCluster();
      for (const one of [service, claim]) if (one !== undefined) cluster.put(one);
      const asked = question('new-proxy', { remote_port: 7001 });
      const context = { reader: cluster, controllerNamespace: 'knudge', hash, isSame: () => true, md5: () => '' };
      const { outcome, json } = await askGate(asked, context);
      assert.equal(outcome, wanted, JSON.stringify(json));
      assert.ok(!JSON.stringify(json).includes('bank'));
    });
  }
});
