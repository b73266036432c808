import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import measured from '../../bench/peers/measured.json' with { type: 'json' };
import { median } from '../../bench/statistics.ts';
import { textOf } from './files.ts';

const page = textOf('docs/compare.md');

interface Turn {
  readonly calls: Readonly<Record<string, number>>;
  readonly idleMb: Split;
  readonly cpuMs: Split;
  readonly p50: number;
  readonly burstProcessed: number;
}

type Split = Readonly<Record<'own' | 'platform', number>>;

/** The median over the turns of one contender, as bench/peers draws it. */
function middle(contender: string, pick: (turn: Turn) => number): number {
  const turns = measured.contenders.find(({ name }) => name === contender)?.turns ?? assert.fail(contender);
  return median(turns.map((turn) => pick(turn as unknown as Turn)));
}

const figure = (contender: string, pick: (turn: Turn) => number): string => middle(contender, pick).toFixed(0);

/** The parts of Knudge's figure that controller-runtime, as it comes and tuned, and kopf need. */
const partsOf = (pick: (turn: Turn) => number): readonly number[] =>
  ['go', 'go-tuned', 'kopf'].map((name) => middle(name, pick) / middle('knudge', pick));

const ownMb = ({ idleMb }: Turn): number => idleMb.own;
const platformMb = ({ idleMb }: Turn): number => idleMb.platform;
const callsOf = ({ calls }: Turn): number => Object.values(calls).reduce((sum, count) => sum + count, 0);

/** An entry of "Where the others are better", and its figures in their order. Each is that of controller-runtime as it comes and tuned. */
const entries = [
  {
    title: 'Memory when idle.',
    figures: [
      figure('go', ownMb),
      figure('kopf', ownMb),
      figure('client-node', ownMb),
      figure('knudge', ownMb),
      figure('knudge', platformMb),
    ],
    same: ownMb,
  },
  {
    title: 'Fewer API calls.',
    figures: ['go', 'kopf', 'knudge'].map((name) => figure(name, callsOf)),
    same: callsOf,
  },
];

describe('the figures of docs/compare.md', () => {
  for (const { title, figures, same } of entries) {
    it(`are those of bench/peers/measured.json: ${title}`, () => {
      assert.deepEqual(numbersIn(title), figures);
      assert.equal(figure('go', same), figure('go-tuned', same));
    });
  }

  it('say how much faster controller-runtime and kopf are, and how much less CPU time they need', () => {
    const most = (pick: (turn: Turn) => number): string => Math.max(...partsOf(pick)).toFixed(2);
    const entry = entryOf('Speed when awake.').replaceAll(/\s+/g, ' ');
    assert.match(entry, /in half to two thirds of the time/);
    assert.ok(partsOf(({ p50 }) => p50).every((part) => part >= 0.5 && part <= 2 / 3));
    assert.ok(entry.includes(`1,000 Messages in at most ${most(({ burstProcessed }) => burstProcessed)} of it`));
    assert.ok(entry.includes(`at most ${most(({ cpuMs }) => cpuMs.own + cpuMs.platform)} of the CPU time`));
  });

  it('give controller-runtime and the informers one number of calls', () => {
    assert.equal(figure('go', callsOf), figure('client-node', callsOf));
  });

  it('name the day of that measurement', () => {
    const date = new Date(measured.date).toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    });
    assert.ok(entryOf('Speed when awake.').includes(date), date);
  });
});

/** The numbers of an entry of the list, without those in links. */
function numbersIn(title: string): readonly string[] {
  return (
    entryOf(title)
      .replace(/\]\([^)]*\)/g, '')
      .match(/\d(?:[\d.,]*\d)?/g) ?? []
  );
}

function entryOf(title: string): string {
  const [, after = ''] = page.split(`\n- **${title}** `);
  assert.notEqual(after, '', `docs/compare.md has no entry "${title}"`);
  return after.split(/\n(?:- \*\*|\n)/)[0] ?? '';
}
