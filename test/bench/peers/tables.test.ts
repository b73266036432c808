import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aheadOf, conditionsOf, costPart, readmePart, withPart } from '../../../bench/peers/documents.ts';
import { goalsOf } from '../../../bench/peers/goals.ts';
import { callsTable, curveTable, goalsTable, markdownOf, tableOf } from '../../../bench/peers/tables.ts';
import { contender, measured, turn } from './measured.ts';

const grown = { pods: 1000, mb: { own: 5, platform: 15 } };
const curve = [{ pods: 0, mb: { own: 0, platform: 10 } }, grown];

describe('the table of the peers', () => {
  it('has the median of the rounds, and the part of the platform behind a plus', () => {
    const turns = [10, 30, 20].map((p50) => turn({ p50, cpuMs: { own: 1, platform: p50 } }));
    const [row] = tableOf(measured(contender('knudge', turns))).rows;
    assert.deepEqual(row?.slice(0, 5), ['the knudge', '20.0 (4.0 ×)', '10', '10.0, 12.0', '1.0 + 20.0']);
  });

  it('says of a contestant that did not do the work that it failed, and gives it no figures', () => {
    const { head, rows } = tableOf(measured(contender('kopf', [], { failure: 'x has no Pod' })));
    assert.deepEqual(rows[0]?.slice(0, 3), ['the kopf', 'failed: x has no Pod', '']);
    assert.ok(rows.every((row) => row.length === head.length));
  });

  it('says of a turn that failed beside others that it did', () => {
    const [row] = tableOf(measured(contender('kopf', [turn()], { failure: 'it ended' }))).rows;
    assert.equal(row?.[0], 'the kopf (failed in part: it ended)');
  });

  it('says what is left out, and why', () => {
    assert.deepEqual(tableOf(measured()).rows[0]?.slice(0, 2), ['Somebody', 'left out: it is nowhere']);
  });

  it('names the calls, the most frequent first, and none that are rare', () => {
    const calls = { 'get messages': 1, 'create pods': 2, 'watch pods': 0.001 };
    const { rows } = callsTable(measured(contender('kopf', [turn({ calls })])));
    assert.deepEqual(rows, [['the kopf', '2.0 create pods, 1.0 get messages']]);
  });

  it('has a column for each point of the curve, and an empty cell where somebody has none', () => {
    const { head, rows } = curveTable(measured(contender('a', [], { curve }), contender('b', [])));
    assert.deepEqual(head.slice(1), ['0', '1,000']);
    assert.deepEqual(rows, [
      ['the a', '0 + 10', '5 + 15'],
      ['the b', '', ''],
    ]);
  });
});

describe('the goals', () => {
  const kopf = contender('kopf', [turn({ p50: 10 }), turn({ p50: 100 }), turn({ p50: 1000 })]);
  const tuned = contender('go-tuned', [turn()]);

  it('are ratios of the same round: what slows a round down slows both', () => {
    const turns = [turn({ p50: 9 }), turn({ p50: 90 }), turn({ p50: 900 })];
    const [first] = goalsOf(measured(kopf, contender('knudge', turns)));
    assert.deepEqual([first?.value, first?.isMet], [0.9, true]);
  });

  it('are missed where the figure is above what is allowed', () => {
    const slow = turn({ burstProcessed: 18_001, waits: { own: 0, platform: 1 } });
    const goals = goalsOf(measured(tuned, contender('knudge', [slow], { curve })));
    assert.deepEqual(
      goals.map(({ what, isMet }) => [what, isMet]),
      [
        ['a burst, until all are Processed', false],
        ['memory with 1,000 unrelated Pods', false],
        ['wake-ups by an unrelated Pod', false],
      ],
    );
    assert.equal(goalsTable(measured(tuned, contender('knudge', [slow]))).rows[0]?.at(-1), 'missed');
  });

  it('no goal is judged if Knudge has not run', () => {
    assert.deepEqual(goalsOf(measured(kopf)), []);
  });
});

describe('the documents', () => {
  const all = measured(contender('kopf', [turn({ p50: 5 })]), contender('knudge', [turn()], { curve }));

  it('name who is ahead of Knudge in which row, and by how much', () => {
    const text = aheadOf(all);
    assert.match(text, /- to the Pod, p50: the kopf \(0\.50 × Knudge's\)/);
    assert.match(text, /- CPU a Message: no contestant/);
  });

  it('show figures, date and load', () => {
    assert.match(
      costPart(all),
      /2026-11-25, Node, 2 CPUs .* load 3\.0 at the beginning and 4\.0 at the end; 1 round of 30/,
    );
    assert.match(costPart(all), /!\[.+\]\(peers\.svg\)/);
  });

  it('say of fewer than three rounds that seconds say little', () => {
    const few = measured(contender('kopf', [turn(), turn()]));
    assert.match(conditionsOf(few), /seconds say little/);
    assert.doesNotMatch(conditionsOf(measured(contender('kopf', [turn(), turn(), turn()]))), /say little/);
  });

  it('have five lines for README.md', () => {
    const lines = readmePart(all).split('\n');
    assert.equal(lines.length, 5);
    assert.match(lines[3] ?? '', /the kopf 10; the knudge 10 → 20\./);
  });

  it('have no figure of a contestant that has not come to the last point of the curve', () => {
    const [first] = curve;
    assert.ok(first);
    const short = contender('kopf', [turn()], { curve: [first] });
    const [, , , memory] = readmePart(measured(short, contender('knudge', [turn()], { curve }))).split('\n');
    assert.match(memory ?? '', /the kopf 10 → not up in time; the knudge 10 → 20\./);
  });

  it('get their part in the place of the one they have, twice the same', () => {
    const empty =
      'a\n<!-- npm run bench:peers -- --draw: from here -->\nold\n<!-- npm run bench:peers -- --draw: to here -->\nb\n';
    const once = withPart(empty, 'new');
    assert.match(once, /^a\n.*\nnew\n.*\nb\n$/);
    assert.equal(withPart(once, 'new'), once);
    assert.throws(() => withPart('nothing', 'new'), /has no part between/);
  });

  it('are tables that Markdown reads', () => {
    assert.equal(markdownOf({ head: ['a', 'b'], rows: [['c', 'd']] }), '| a | b |\n| --- | --- |\n| c | d |');
  });
});
