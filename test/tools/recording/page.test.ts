import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blocksOf, pageOf } from '../../../tools/recording/page.ts';
import type { Line, Stage } from '../../../tools/recording/play.ts';
import { play } from '../../../tools/recording/play.ts';
import { type Section, sections } from '../../../tools/recording/sections.ts';
import { textOf } from '../../house/files.ts';

const blocks = blocksOf(textOf('docs/first-five-minutes.md'));

describe('the recording of the first five minutes', () => {
  it('shows the commands that are run, in their order', () => {
    assert.deepEqual(
      blocks.map(({ title, commands }) => [title, ...commands.map(({ run }) => run)]),
      sections.map(({ title, steps }) => [title, ...steps.map(({ run }) => run)]),
    );
  });

  for (const [index, { steps }] of sections.entries()) {
    for (const [at, { run, shows }] of steps.entries()) {
      it(`${run.slice(0, 60)} prints what its step says`, () => {
        assert.match(blocks[index]?.commands[at]?.prints ?? 'nothing', shows);
      });
    }
  }
});

describe('a page', () => {
  const line = (at: number, text: string, more: Partial<Line> = {}): Line => ({
    at,
    terminal: 2,
    text,
    isCommand: false,
    ...more,
  });

  it('is read as it is written, each output beside the command of its terminal', () => {
    const lines = [
      line(0, 'one \\\n  --more', { isCommand: true }),
      line(1, 'said by /secret'),
      line(2, 'another', { terminal: 1 }),
      line(3, ''),
      line(99.94, 'second'),
      line(123.4, '^C', { terminal: 1, isCommand: true }),
    ];
    const section: Section = { title: 'A title', says: 'a '.repeat(100).trim(), steps: [] };
    const page = pageOf([{ section, lines }], (text) => text.replaceAll('/secret', '~'));
    assert.ok(page.split('\n').every((each) => each.length <= 120));
    assert.deepEqual(blocksOf(page), [
      {
        title: 'A title',
        commands: [
          { run: 'one \\\n  --more', prints: 'said by ~\nsecond\n', terminal: '2' },
          { run: '^C', prints: '', terminal: '1' },
        ],
      },
    ]);
  });
});

describe('a play', () => {
  const stage: Stage = { folder: () => '.', env: process.env, translate: (command) => command, timeout: 20 };
  const stays = "trap 'echo ended; exit 0' INT; echo up; while true; do sleep 0.05; done";
  const one = (steps: Section['steps']): readonly Section[] => [{ title: 't', says: 's', steps }];

  it('runs commands beside one that stays until Ctrl-C', async () => {
    const [played] = await play(
      one([
        { run: stays, shows: /up/, is: 'stays' },
        { run: 'printf "1\\r2\\n"; exit 3', shows: /^2\n$/, code: 3, after: /up/ },
        { run: '^C', shows: /^/, is: 'ends' },
      ]),
      stage,
    );
    assert.deepEqual(
      played?.lines.map(({ terminal, text }) => `${terminal} ${text}`),
      [`1 ${stays}`, '1 up', '2 printf "1\\r2\\n"; exit 3', '2 2', '1 ^C', '1 ended'],
    );
  });

  for (const [what, step] of [
    ['prints something else', { run: 'echo no', shows: /yes/ }],
    ['ends otherwise', { run: 'exit 1', shows: /^$/ }],
    ['ends where it should stay', { run: 'echo no', shows: /yes/, is: 'stays' }],
  ] as const)
    it(`fails where a command ${what}`, async () => {
      await assert.rejects(play(one([step]), stage), /yes|\^\$/);
    });
});
