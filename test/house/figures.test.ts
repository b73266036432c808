import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textOf } from './files.ts';

/** The row of another page, by its beginning, that each of README's figures is taken from. */
const origins = [
  { page: 'bench/README.md', row: '| a Pod that concerns nobody |' },
  { page: 'bench/README.md', row: '| a Message, from apply to Processed |' },
  { page: 'docs/reliability.md', row: "| [Knudge's own source](source.md) on a real API server for an hour" },
  { page: 'docs/cost.md', row: '| 1,000 Messages at once, until each has its Pod |' },
  { page: 'docs/cost.md', row: '| memory, everything asleep, MB |' },
];

const lines = linesOf(textOf('README.md'));

describe('the figures of README.md', () => {
  it('are five lines', () => {
    assert.equal(lines.length, origins.length);
  });

  for (const [index, { page, row }] of origins.entries()) {
    const line = lines[index] ?? '';

    it(`are those of ${page}: ${row}`, () => {
      assert.ok(line.includes(`](${page}#`), `line ${index + 1} has no link to ${page}: ${line}`);
      assert.ok(numbersIn(line).length > 0, `line ${index + 1} has no figure: ${line}`);
      assert.deepEqual(strangers(line, { page, row }), []);
    });

    it(`name the command that ${page} names for them: ${row}`, () => {
      const [command = ''] = /npm run [^`]+/.exec(line) ?? [];
      assert.match(command, /^npm run (?:bench|test):/);
      assert.ok(textOf(page).includes(`\`${command}`), `${page} does not name ${command}`);
    });

    it(`are missed where one digit is another: ${row}`, () => {
      for (const number of numbersIn(line)) {
        const other = number.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
        assert.deepEqual(strangers(`| ${other} |`, { page, row }), [other]);
      }
    });
  }
});

/** The rows of the table of figures. */
function linesOf(text: string): readonly string[] {
  const [, table = ''] = text.split('| what | figures | made by |\n|---|---|---|\n');
  return (table.split('\n\n')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
}

/** What a line says in figures or in bold that no such row of the page says. */
function strangers(line: string, { page, row }: (typeof origins)[number]): readonly string[] {
  const rows = textOf(page)
    .split('\n')
    .filter((one) => one.startsWith(row));
  const [best = [line]] = rows
    .map((one) => [
      ...numbersIn(line).filter((number) => !numbersIn(one).includes(number)),
      ...boldIn(line).filter((words) => !one.includes(words)),
    ])
    .toSorted((one, other) => one.length - other.length);
  return best;
}

function boldIn(line: string): readonly string[] {
  return [...line.matchAll(/\*\*(.+?)\*\*/g)].map(([, words = '']) => words);
}

/** Whole numbers and fractions, not those in code or in the addresses of links. */
function numbersIn(line: string): readonly string[] {
  return line.replace(/`[^`]*`|\]\([^)]*\)/g, '').match(/\d(?:[\d.,]*\d)?/g) ?? [];
}
