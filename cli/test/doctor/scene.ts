import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Found } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import type { Seen, Wanted } from '../../doctor/seen.ts';
import { harmless } from './advice.ts';

export const now = Date.parse('2026-11-21T12:00:00Z') / 1000;
const nothing: { value: readonly Thing[] } = { value: [] };
export const empty: Seen = {
  definitions: nothing,
  sources: nothing,
  pings: nothing,
  adapters: nothing,
  adapterDeployments: nothing,
  eventingDeployments: nothing,
  servingDeployments: nothing,
  ingressDeployments: nothing,
  brokers: nothing,
  brokerConfigs: nothing,
  triggers: nothing,
  channels: nothing,
  functions: nothing,
  roles: nothing,
  accounts: nothing,
  leases: nothing,
  parents: nothing,
  now,
  allowed: { value: [] },
  own: { lists: {}, unreachable: new Map() },
  openDeadLetters: { value: 0 },
  log: { value: { trouble: undefined, gaps: [] } },
  policies: { value: undefined },
  unserved: { value: [] },
};
export const thing = (apiVersion: string, kind: string, more: Partial<Thing> = {}): Thing => ({
  apiVersion,
  kind,
  metadata: { namespace: 'knudge', name: 'x', ...more.metadata },
  ...(more.spec !== undefined && { spec: more.spec }),
  ...(more.status !== undefined && { status: more.status }),
  ...(more.data !== undefined && { data: more.data }),
});
export const wanting = (...objects: readonly Thing[]): Wanted => ({ namespace: 'knudge', objects });
export const ready = { conditions: [{ type: 'Ready', status: 'True' }] };

export const func = thing('serving.knative.dev/v1', 'Service', {
  spec: { template: { spec: { serviceAccountName: 'f' } } },
});

/** Each with the one Pod that it wants. */
export const deployments = (namespace: string, ...names: readonly string[]): readonly Thing[] =>
  names.map((name) =>
    thing('apps/v1', 'Deployment', {
      metadata: { namespace, name },
      spec: { replicas: 1 },
      status: { availableReplicas: 1 },
    }),
  );

export interface Row {
  readonly name: string;
  readonly found: readonly Found[];
  /** The level and the beginning of each. */
  readonly wanted: readonly string[];
}

/** Each row is a test; what is not well must say why it matters and what to do, which applies no image. */
export function judged({ name, found, wanted }: Row): void {
  it(name, () => {
    const told = found.map(({ level, what }) => `${level} ${what}`);
    assert.equal(told.length, wanted.length, told.join('\n'));
    for (const [index, beginning] of wanted.entries()) assert.ok(told[index]?.startsWith(beginning), told[index]);
    for (const { level, why, todo = '' } of found) {
      harmless(todo);
      const isIll = level === 'warning' || level === 'problem';
      assert.equal(why !== undefined && todo !== '', isIll, 'what is not well says why it matters and what to do');
    }
  });
}
