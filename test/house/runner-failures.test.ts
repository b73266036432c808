import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runTests } from './run-tests.ts';

const start = "import { after, before, describe, it, test } from 'node:test';\n";

/** What fails outside of a test, with the closing lines that name it and its row among what failed. */
const rows = [
  {
    name: 'a suite fails while it is built',
    code: "describe('outer', () => { it('ok', () => {}); describe('inner', () => { throw new Error('no linter\\nhere'); }); });",
    counts: { pass: 1, fail: 1, cancelled: 0 },
    row: 'outer > inner: no linter',
  },
  {
    name: 'a suite fails while it is built, and its tests never begin',
    code: "describe('outer', () => { it('never', () => {}); throw new Error('broken'); });",
    counts: { pass: 0, fail: 1, cancelled: 1 },
    row: 'outer: broken',
  },
  {
    name: 'a before hook',
    code: "describe('a', () => { before(() => { throw new Error('no server'); }); it('one', () => {}); it('two', () => {}); });",
    counts: { pass: 0, fail: 1, cancelled: 2 },
    row: 'a: failed running before hook: no server',
  },
  {
    name: 'an after hook of a suite',
    code: "describe('a', () => { it('ok', () => {}); after(() => { throw new Error('left open'); }); });",
    counts: { pass: 1, fail: 1, cancelled: 0 },
    row: 'a: failed running after hook: left open',
  },
  {
    name: 'an after hook of a file',
    code: "it('ok', () => {}); after(() => { throw new Error('left open'); });",
    counts: { pass: 1, fail: 1, cancelled: 0 },
    row: 'left open',
  },
  {
    name: 'a file throws while it is loaded',
    code: "import './nowhere.ts';",
    counts: { pass: 0, fail: 1, cancelled: 0 },
    row: /^ended with exit code 1: Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module .*nowhere\.ts/,
  },
  {
    name: 'a file ends with an exit code',
    code: "it('ok', () => {}); process.on('exit', () => { process.exitCode = 3; });",
    counts: { pass: 1, fail: 1, cancelled: 0 },
    row: 'ended with exit code 3',
  },
  {
    name: 'something throws when the test that began it is over',
    code: "it('ok', () => { setTimeout(() => JSON.parse('{'), 20); });",
    counts: { pass: 1, fail: 1, cancelled: 0 },
    row: /^ended with exit code 1: Error: Test "ok" .* activity created the error "SyntaxError: /,
  },
  {
    name: 'a file is killed',
    code: "process.kill(process.pid, 'SIGKILL');",
    counts: { pass: 0, fail: 1, cancelled: 0 },
    row: 'ended by SIGKILL',
  },
  {
    name: 'a test takes too long',
    code: "it('slow', { timeout: 50 }, () => new Promise((done) => setTimeout(done, 1000)));",
    counts: { pass: 0, fail: 1, cancelled: 0 },
    row: 'slow: test timed out after 50ms',
  },
  {
    name: 'a test within a test: named once',
    code: "test('parent', (t) => t.test('child', () => { throw 'no error'; }));",
    counts: { pass: 0, fail: 2, cancelled: 0 },
    row: 'parent > child: no error',
  },
];

/** All of them in one run, each in a file that is named for its number. */
const told = (() => {
  let output: string | undefined;
  return () => {
    output ??= outputOf(Object.fromEntries(rows.map(({ code }, index) => [`${index}.test.ts`, start + code])));
    return { output, rows: rowsOf(output) };
  };
})();

describe('a run says what failed where it says "fail", when', () => {
  for (const [index, { name, row }] of rows.entries()) {
    it(name, () => {
      const [said, ...others] = told().rows.flatMap((line) => {
        const [, file, rest] = /^test\/(\d+)\.test\.ts: (.+)$/.exec(line) ?? assert.fail(line);
        return Number(file) === index ? [rest ?? ''] : [];
      });
      assert.deepEqual(others, []);
      if (typeof row === 'string') assert.equal(said, row);
      else assert.match(said ?? '', row);
    });
  }

  it('each of these happened: the closing lines count all, and all else as Node does', () => {
    const sum = (what: 'pass' | 'fail' | 'cancelled') => rows.reduce((sofar, { counts }) => sofar + counts[what], 0);
    assert.deepEqual(countsOf(told().output), { pass: sum('pass'), fail: sum('fail'), cancelled: sum('cancelled') });
  });

  it('much fails: the first twenty are named', () => {
    const code = `for (let i = 0; i < 23; i += 1) it('number ' + i, () => { throw new Error('broken'); });`;
    const output = outputOf({ 'a.test.ts': start + code });
    assert.deepEqual(rowsOf(output).slice(19), ['test/a.test.ts: number 19: broken', 'and 3 more']);
    assert.equal(countsOf(output)['fail'], 23);
  });

  it('nothing failed, but in CI something did not run', () => {
    const output = outputOf({ 'a.test.ts': `${start}it.skip('later');` }, { CI: 'true' });
    assert.match(output, /Failed: 1 did not run, and with CI=true that is a failure\n/);
  });
});

function outputOf(files: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>> = {}): string {
  const { status, output } = runTests(files, { environment });
  assert.equal(status, 1, output);
  return output;
}

/** What stands right above the closing lines. */
function rowsOf(output: string): readonly string[] {
  const [, rows] = /\nFailed:\n((?: {2}.+\n)+)\nℹ tests \d+\n(?:ℹ .+\n)+$/.exec(output) ?? [];
  return (rows ?? assert.fail(output))
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(2));
}

function countsOf(output: string): Record<string, number> {
  const lines = output.matchAll(/^ℹ (pass|fail|cancelled) (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, what = '', count]) => [what, Number(count)]));
}
