import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runTests } from './run-tests.ts';

const start = "import { describe, it } from 'node:test';\n";
const passing = `${start}it('is fine', () => {});\n`;
const skipping = `${start}it('waits', { skip: 'for a reason' }, () => {});\ndescribe.skip('a whole suite', () => {});\n`;
const failing = `${start}it('is broken', () => { throw new Error('broken on purpose'); });\n`;
const installing = `${start}import { execFileSync } from 'node:child_process';
it('asks a registry', () => void execFileSync('npm', ['view', 'knip', 'version']));
`;

const rows = [
  { name: 'one fails', files: { 'a.test.ts': passing, 'b.test.ts': failing }, code: 1, says: [/broken on purpose/] },
  { name: 'a file cannot be loaded', files: { 'a.test.ts': "import './nowhere.ts';" }, code: 1, says: [/nowhere/] },
  {
    name: 'one is skipped: it is named, with its reason',
    files: { 'a.test.ts': passing, 'b.test.ts': skipping },
    code: 0,
    says: [/^ {2}test\/b\.test\.ts: waits \(for a reason\)$/m, /a whole suite \(no reason given\)/],
  },
  {
    name: 'one is skipped in CI',
    files: { 'b.test.ts': skipping },
    environment: { CI: 'true' },
    code: 1,
    says: [/waits/],
  },
  {
    name: 'one is still to do in CI',
    files: { 'a.test.ts': `${start}it.todo('comes later');\n` },
    environment: { CI: 'true' },
    code: 1,
    says: [/comes later/],
  },
  {
    name: 'one would install something',
    files: { 'a.test.ts': installing },
    // `npm run check` is silent, and what it starts inherits that.
    environment: { npm_config_cache: 'empty', npm_config_loglevel: 'error' },
    code: 1,
    says: [/ENOTCACHED/],
  },
  { name: 'there are none', files: { 'a.kube.test.ts': failing }, code: 1, says: [/there are no unit tests/] },
  {
    name: 'a suite that is none',
    files: {},
    suite: 'units',
    code: 2,
    says: [/say which tests: unit, kube, dataplane/],
  },
  {
    name: 'all is well: files of other suites stay out',
    files: {
      'a.kube.test.ts': failing,
      'b.dataplane.test.ts': failing,
      'e.faults.test.ts': failing,
      'f.faults.kube.test.ts': failing,
      'c/d.test.ts': passing,
    },
    code: 0,
    says: [/^ℹ tests 1$/m, /^ℹ pass 1$/m],
  },
  {
    name: 'what a test has counted is told again at the end',
    files: { 'a.test.ts': `${start}it('counts', (t) => t.diagnostic('counted: 7 plans'));\n`, 'c.test.ts': passing },
    code: 0,
    says: [/^Counted:\n {2}7 plans\n[\s\S]*ℹ tests 2$/m],
  },
  {
    name: 'the closing lines come last, also after a failure',
    files: { 'b.test.ts': skipping, 'c.test.ts': failing },
    code: 1,
    says: [/Not run:[\s\S]*ℹ tests \d+\n(ℹ [a-z_]+ [\d.]+\n)+$/],
  },
];

describe('the test runner, when', () => {
  for (const { name, files, code, says, suite = 'unit', environment = {} } of rows) {
    it(name, () => {
      const { status, output } = runTests(files, { suite, environment });
      assert.equal(status, code, output);
      for (const sentence of says) assert.match(output, sentence);
    });
  }
});
