import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { suites, testFiles } from '../../tools/test/suites.ts';
import { root, textIfAny, textOf } from './files.ts';

interface Named {
  readonly file: string;
  readonly title: string;
}

/** The rows of docs/security.md: what each promise names as shown by. */
const rows = new Map(
  [...textOf('docs/security.md').matchAll(/^\| (S\d+) \|(.*)$/gm)].map(([, id = '', row = '']) => [id, namedIn(row)]),
);
const wanted = Array.from({ length: 30 }, (_, index) => `S${index + 1}`);
const named = [...rows.values()].flat();

function namedIn(row: string): readonly Named[] {
  return [...row.matchAll(/`(test\/[^`]+)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({ file, title }));
}

/** What test/security/README.md says of each attack, by its number. */
const attacks = [...textOf('test/security/README.md').matchAll(/^\| (\d+) \|(.*)$/gm)].map(([, number, row = '']) => ({
  number: Number(number),
  tests: namedIn(row),
}));

/** The titles of the tests and suites of a file, as they are written. */
function titlesOf(file: string): readonly string[] {
  const calls = textIfAny(file).matchAll(/\b(?:it|test|suite|describe)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs);
  return [...calls].map(([, , title = '']) => title);
}

/** Beginnings of the paths that CI runs of the suite that it does not run whole. */
const inCi = /test:faults:kube -- (.+)$/m.exec(textOf('.ci/run'))?.[1]?.split(' ') ?? [];
const all = Object.keys(suites) as (keyof typeof suites)[];
const run = all.flatMap((suite) => testFiles(suite, root, suite === 'faults-kube' ? inCi : []));

describe('SECURITY.md', () => {
  const text = textOf('SECURITY.md');

  it('says which versions are supported, the present one among them', () => {
    const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };
    assert.match(text, new RegExp(`^\\| ${version.split('.').slice(0, 2).join('\\.')},`, 'm'));
  });

  it('says how to report privately and what to send, and docs/security.md ends by pointing there', () => {
    assert.match(text, /Report a vulnerability/);
    assert.match(text, /^What to send:$/m);
    assert.match(textOf('docs/security.md'), /## Report a weakness\n\n\[SECURITY\.md\]\(\.\.\/SECURITY\.md\)/);
  });

  it('names nobody', () => assert.doesNotMatch(text, /@|mailto:/));
});

describe('docs/security.md', () => {
  it('has a row for each of the 30 promises, in order', () => assert.deepEqual([...rows.keys()], wanted));

  for (const [id, tests] of rows) {
    it(`${id} names a test, by more than a word`, () => {
      assert.ok(tests.length > 0);
      assert.ok(tests.every(({ title }) => title.length >= 8));
    });
  }

  it('names files of tests that CI runs', () => {
    assert.ok(inCi.length > 0);
    assert.deepEqual(
      named.map(({ file }) => file).filter((file) => !run.includes(file)),
      [],
    );
  });

  it('names tests that are there, by their titles', () => {
    const missing = named.filter(({ file, title }) => !titlesOf(file).some((one) => one.includes(title)));
    assert.deepEqual(missing, []);
  });

  it('has its attacks by number in test/security/README.md, each with tests that are there', () => {
    assert.deepEqual(
      attacks.map(({ number }) => number),
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    const tests = attacks.flatMap(({ tests: some }) => some);
    assert.deepEqual(
      tests.filter(({ file, title }) => !titlesOf(file).some((one) => one.includes(title)) || !run.includes(file)),
      [],
    );
  });

  it('has each of its attacks tried again in the suite of the attacks, under its number', () => {
    const titles = testFiles('security', root, []).flatMap(titlesOf);
    const missing = attacks.filter(
      ({ number }) => !titles.some((title) => new RegExp(`^${number}[a-z]?[:,]`).test(title)),
    );
    assert.deepEqual(missing, []);
  });

  it('names no test that is left out', () => {
    const left = named.filter(({ file }) => /\b(?:it|test|suite|describe)\.(skip|todo|only)\(/.test(textIfAny(file)));
    assert.deepEqual(left, []);
  });
});
