import fc from 'fast-check';
import type { CallSite, FaultKind } from '../../../packages/controller/testing/kinds/kind.ts';
import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import { sites } from '../kinds/sites.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations/operations.ts';
import type { Trouble } from './trouble.ts';

/** What a storm is made of. Its first part shrinks first: see seek.ts. */
export type StormContent = readonly [operations: readonly Operation[], troubles: readonly Trouble[]];

const mostOperations = 50;
const mostTroubles = 40;
/** As many turns as a storm of the greatest length may have. */
const lastTurn = 500;
const lastEvent = 400;

/** A single record shrinks to nothing but its absence: half an operation explains no more than a whole one. */
const operation: fc.Arbitrary<Operation> = fc.noShrink(
  fc.record({
    kind: fc.oneof(
      ...Object.entries(operations).map(([kind, { weight }]) => ({ weight, arbitrary: fc.constant(kind) })),
    ),
    who: fc.nat(999),
    how: fc.nat(999),
    turns: fc.oneof({ weight: 3, arbitrary: fc.nat(16) }, { weight: 2, arbitrary: fc.nat(60) }),
    order: fc.nat(),
  }),
);

const jumps = [
  { by: '+1 h', ms: 3_600_000 },
  { by: '-1 h', ms: -3_600_000 },
  { by: '+5 d', ms: 5 * 86_400_000 },
  { by: '-1 d', ms: -86_400_000 },
] as const;

/**
 * What Knudge reads and writes with each verb, and how many such calls a storm makes, about: every kind of fault can meet
 * calls about each, and most of those that are drawn do meet one.
 */
const resources: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  get: { distributedservices: 20, messages: 10, configmaps: 40, secrets: 50, services: 40, deployments: 20, pods: 10 },
  list: { pods: 8, services: 8, configmaps: 20, endpointslices: 6, distributedservices: 3 },
  create: { configmaps: 2, secrets: 2, services: 2, deployments: 1, pods: 2, events: 7 },
  apply: {
    'distributedservices/status': 6,
    'messages/status': 5,
    configmaps: 2,
    deployments: 2,
    services: 1,
    secrets: 1,
  },
  'patch-json': { configmaps: 2, deployments: 1, services: 1, secrets: 1, 'deployments/scale': 1 },
  'patch-merge': { distributedservices: 2 },
  delete: { configmaps: 1, secrets: 1, services: 1, deployments: 1, pods: 1 },
};

const callSites: readonly CallSite[] = Object.values(sites);

const callTrouble: fc.Arbitrary<Trouble> = fc
  .tuple(fc.constantFrom(...kinds), fc.nat(999), fc.nat(999), fc.nat(999))
  .map(([kind, where, resource, nth]) => troubleOf(kind, { where, resource, nth }));

interface Where {
  readonly where: number;
  readonly resource: number;
  readonly nth: number;
}

function troubleOf(kind: FaultKind, { where, resource, nth: number }: Where): Trouble {
  const fitting = callSites.filter((site) => kind.appliesTo(site));
  const site = fitting[where % fitting.length];
  if (site === undefined) throw new Error(`${kind.id} applies to no call`);
  const same = resources[site.verb] ?? {};
  const others = Object.keys(same).filter(
    (name) => name.includes('/') === site.resource.includes('/') && name !== 'events',
  );
  const isEvent = site.resource === 'events' || others.length === 0;
  const chosen = isEvent ? site.resource : (others[resource % others.length] ?? site.resource);
  const nth = 1 + (number % (same[chosen] ?? 1));
  const match = { verb: site.verb, resource: chosen, nth };
  // What would last until the faults are lifted lasts some calls: a storm goes on.
  const times = kind.times === 'on' ? 5 : kind.times;
  const fault = { match, when: kind.when, action: kind.action(site), ...(times !== undefined && { times }) };
  return { kind: 'call', id: kind.id, fault };
}

const event = fc.nat(lastEvent);
const turn = fc.nat(lastTurn);

const trouble: fc.Arbitrary<Trouble> = fc.noShrink(
  fc.oneof(
    { weight: 30, arbitrary: callTrouble },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('lose' as const), event, count: fc.constant(1) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('lose' as const), event, count: fc.integer({ min: 2, max: 40 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('double' as const), event, copies: fc.integer({ min: 2, max: 4 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('late' as const), event, turns: fc.integer({ min: 5, max: 200 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('belated' as const), event }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('kill' as const), turn, which: fc.nat(9) }) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(turn, fc.constantFrom(...jumps))
        .map(([at, jump]): Trouble => ({ kind: 'jump', turn: at, ...jump })),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('version' as const), turn, turns: fc.integer({ min: 20, max: 150 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('tick' as const), turn }) },
  ),
);

/** All storms: from nothing at all to fifty operations and forty troubles. */
export const storms: fc.Arbitrary<StormContent> = fc.tuple(
  fc.array(operation, { maxLength: mostOperations, size: 'max' }),
  fc.array(trouble, { maxLength: mostTroubles, size: 'max' }),
);
