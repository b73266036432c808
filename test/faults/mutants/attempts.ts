import type { Fault } from '../../../packages/controller/testing/fault.ts';
import { isRead, isWrite } from '../../../packages/controller/testing/kinds/kind.ts';
import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import { altersEnd, boundariesOf, singleFaults } from '../kinds/enumerate.ts';
import type { SchedulePlan } from '../plan.ts';
import type { Scenario } from '../scenario.ts';
import { meetings } from '../schedules/meetings.ts';
import { type Prepared, place } from '../sim/prepare.ts';
import type { Faulty, Layer } from './mutant.ts';

/** One run that may show a fault, as a value: it can be run again on the product without the fault. */
export type Attempt = { readonly scenario: string } & (
  | { readonly layer: 'calm' }
  | { readonly layer: 'noise' | 'losses' | 'turns'; readonly seed: number }
  | { readonly layer: 'faults'; readonly faults: readonly Fault[]; readonly about: string; readonly altersEnd: boolean }
  | { readonly layer: 'storms'; readonly seed: number; readonly faults: readonly Fault[]; readonly altersEnd: boolean }
  | { readonly layer: 'schedules'; readonly mate: string; readonly turns: Turns }
);

type Turns = Pick<SchedulePlan, 'first' | 'preemptions'>;

/** This many runs of one layer and one scenario: the next scenario may show more. */
const most = { noise: 2, losses: 2, turns: 40, faults: 700, schedules: 80, storms: 40 } as const;

/** The runs of one layer with one scenario, those first that show most. */
export function attemptsOf(layer: Layer, prepared: Prepared, hint: Faulty = {}): readonly Attempt[] {
  const scenario = prepared.scenario.name;
  switch (layer) {
    case 'calm':
      return [{ scenario, layer }];
    case 'noise':
    case 'losses':
    case 'turns':
      return upTo(most[layer]).map((seed) => ({ scenario, layer, seed }));
    case 'faults':
      return hintedFirst([everythingSlow(prepared), ...faultsIn(prepared)], hint).slice(0, most.faults);
    case 'schedules':
      return turnsOf(prepared).slice(0, most.schedules);
    case 'storms':
      return stormsIn(prepared);
  }
}

function hintedFirst(attempts: readonly FaultAttempt[], { kind = '', call = '' }: Faulty) {
  const isHinted = ({ about, faults: [fault] }: FaultAttempt): boolean =>
    about.startsWith(kind) && `${fault?.match.verb} ${fault?.match.resource} ${fault?.match.name}`.startsWith(call);
  return [...attempts.filter(isHinted), ...attempts.filter((attempt) => !isHinted(attempt))];
}

type FaultAttempt = Extract<Attempt, { layer: 'faults' }>;

/** Every call with every kind of fault that can hit it; the n-th call of each kind before the n+1-th of any. */
function faultsIn({ scenario: { name }, clean }: Prepared): readonly FaultAttempt[] {
  const boundaries = boundariesOf(clean).filter(({ call: { resource } }) => resource !== 'events');
  const [reads, writes] = [
    boundaries.filter(({ call }) => isRead(call)),
    boundaries.filter(({ call }) => isWrite(call)),
  ];
  const plans = [writes, reads].flatMap((some) =>
    kinds.flatMap((kind) => singleFaults(name, some, [kind]).map((plan, index) => ({ plan, index }))),
  );
  return plans
    .sort((a, b) => a.index - b.index)
    .map(({ plan }) => ({
      scenario: name,
      layer: 'faults',
      faults: plan.faults,
      about: plan.about ?? '',
      altersEnd: altersEnd(plan),
    }));
}

/** E7: each call comes just in time, and all of them together take longer than an event may. */
function everythingSlow({ scenario: { name }, clean }: Prepared): FaultAttempt {
  const sorts = new Map(clean.calls.map(({ verb, resource }) => [`${verb} ${resource}`, { verb, resource, nth: 1 }]));
  const faults = [...sorts.values()].map((match): Fault => ({ match, when: 'after', times: 'on', action: slow }));
  return {
    scenario: name,
    layer: 'faults',
    faults,
    about: 'W17-all-slow: every answer comes just in time',
    altersEnd: false,
  };
}

const slow = { do: 'delay', ms: 4800 } as const;

/** Two turns, far and near, with every other scenario that can happen meanwhile. */
function turnsOf({ scenario }: Prepared): readonly Attempt[] {
  const chance = createChance(1);
  const mates = matesOf(scenario);
  return upTo(most.schedules).flatMap((number) => {
    const mate = mates[number % Math.max(mates.length, 1)];
    if (mate === undefined) return [];
    const first = chance.below(2);
    const preemptions = [
      { after: chance.below(24), to: 1 - first },
      { after: 1 + chance.below(24), to: first },
    ];
    return [{ scenario: scenario.name, layer: 'schedules', mate: mate.name, turns: { first, preemptions } }] as const;
  });
}

function matesOf(scenario: Scenario): readonly Scenario[] {
  const meeting = meetings(place).find(({ members }) => members.some(({ name }) => name === scenario.name));
  return meeting?.members ?? [];
}

/** One fault of each storm, drawn by its number. */
function stormsIn(prepared: Prepared): readonly Attempt[] {
  const { scenario, layer: _layer, ...none } = { scenario: prepared.scenario.name, layer: 'storms', faults: [] };
  const all = faultsIn(prepared);
  return upTo(most.storms).map((seed) => {
    const { faults, altersEnd: alters } = all[createChance(seed).below(all.length)] ?? { ...none, altersEnd: false };
    return { scenario, layer: 'storms', seed, faults, altersEnd: alters };
  });
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** What was broken, for people. */
export function textOf(attempt: Attempt): string {
  switch (attempt.layer) {
    case 'calm':
      return 'no fault';
    case 'noise':
      return `noise ${attempt.seed}`;
    case 'losses':
      return `lost events ${attempt.seed}`;
    case 'turns':
      return `turns by chance ${attempt.seed}`;
    case 'faults':
      return attempt.about;
    case 'storms':
      return `storm ${attempt.seed}`;
    case 'schedules':
      return `with ${attempt.mate}, turns ${attempt.turns.preemptions.map(({ after }) => after).join(' and ')}`;
  }
}
