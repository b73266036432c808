import { withNet } from '../../packages/controller/decide/net.ts';
import { notHeld } from '../../packages/controller/decide/not-held.ts';
import type { Given, Resource } from '../../packages/controller/decide/resource.ts';
import type { Condition } from '../../packages/controller/domain/conditions.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { Observed, Plan, Write } from '../../packages/controller/domain/plan.ts';
import { timeOf } from '../../packages/controller/domain/time.ts';
import { given, object } from './objects.ts';

const start = Date.parse('2026-01-01T00:00:00Z') / 1000;

interface Owner extends KubeObject {
  readonly status?: {
    readonly said?: string;
    readonly conditions?: readonly Condition[];
    readonly recentWrites?: unknown;
  };
}

/** What a looping decision wants this time: a write of its child, and what its status says. */
export type Want = (observed: Observed, round: number) => { readonly write?: Write | undefined; readonly said: string };

/** A resource that wants what a test sets; held writes are left out and reported, as every resource does it. */
export function looping(want: Want): Resource & { round: number } {
  const resource = {
    round: 0,
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    children: () => new Map([['child', { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'child' }]]),
    inputs: () => [],
    cost: () => ({ reads: 0, writes: 8 }),
    decide: (observed: Observed, { held }: Given): Plan => {
      const owner: Owner = observed.owner;
      const { write, said } = want(observed, resource.round);
      const writes = notHeld(write === undefined ? [] : [write], owner, { ...(held && { held }) });
      const conditions: readonly Condition[] = held === undefined ? [] : [{ ...flappingNow, message: held.message }];
      const status = { said, conditions };
      const same = JSON.stringify(status) === JSON.stringify(owner.status ?? {});
      const told: readonly Write[] = same && writes.length === 0 ? [] : [{ do: 'status', status }];
      return { writes: [...writes, ...told], notices: [], again: false };
    },
  };
  return resource;
}

const flappingNow = {
  type: 'Ready',
  status: 'False',
  reason: 'Flapping',
  lastTransitionTime: '2026-01-01T00:00:00Z',
} as const;

export interface Life {
  owner: Owner;
  child: KubeObject | undefined;
  /** Seconds at which the child was written, and at which the status was written alone. */
  readonly written: number[];
  readonly alone: number[];
}

interface Times {
  readonly seconds: number;
  readonly every?: number;
  readonly inputsAt?: (at: number) => readonly KubeObject[];
  readonly generationAt?: (at: number) => number;
  readonly life?: Life;
  readonly from?: number;
}

/** One decision after the other, each by whichever process: they share nothing but what stands in the cluster. */
export function live(
  resource: ReturnType<typeof looping>,
  { seconds, every = 1, inputsAt = () => [], generationAt = () => 1, life = born(), from = 0 }: Times,
): Life {
  // Another resource of the same controller has a group of its own.
  const netted = withNet(resource, [resource, { apiVersion: 'frp.io/v1beta1' }]);
  for (let at = from; at < from + seconds; at += every) {
    resource.round += 1;
    const owner = { ...life.owner, metadata: { ...life.owner.metadata, generation: generationAt(at) } };
    const observed = { owner, children: new Map([['child', life.child]]), inputs: new Map([['inputs', inputsAt(at)]]) };
    const byResync = at > 0 && at % 300 === 0;
    const { writes } = netted.decide(observed, given({ now: timeOf(start + at), ...(byResync && { byResync }) }));
    carryOut(life, writes, at);
  }
  return life;
}

export function born(): Life {
  return {
    owner: object('example.com/v1 Thing', 'thing', { metadata: { uid: 't-1' } }),
    child: undefined,
    written: [],
    alone: [],
  };
}

function carryOut(life: Life, writes: readonly Write[], at: number): void {
  if (writes.some(({ do: what }) => what !== 'status')) life.written.push(at);
  else if (writes.length > 0) life.alone.push(at);
  for (const write of writes) {
    if (write.do === 'create' || write.do === 'apply')
      life.child = { ...write.object, metadata: { ...write.object.metadata, uid: 'c', resourceVersion: `${at}` } };
    if (write.do === 'delete') life.child = undefined;
    if (write.do === 'status') life.owner = { ...life.owner, status: write.status };
  }
}
