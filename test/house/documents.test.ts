import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { serviceNames } from '../../functions/table.ts';
import { filesOf, root, textOf } from './files.ts';
import { type Around, brokenLinks, linesOf, unknownScripts } from './markdown.ts';

const everything = filesOf('.');
const markdown = everything.filter((path) => path.endsWith('.md'));
const generated = ['resources/distributed-service/types.ts', 'resources/message/types.ts'];
const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
const around: Around = { exists: (path) => existsSync(join(root, path)), textOf, scripts: Object.keys(scripts) };
/** They say what was, or have their reader make files. */
const ofOtherFiles = /^CHANGELOG|^docs\/(?:decisions\/|tutorial|add-an?-)/;
/** Put together here so that this file does not name them itself. */
const placesOfOneMachine = ['work', 'root', 'tmp/knudge'].map((place) => `/${place}/`);

describe('the documents', () => {
  it('exist at all', () => {
    for (const path of [
      'README.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'LICENSE',
      'SECURITY.md',
      'docs/architecture.md',
    ]) {
      assert.ok(everything.includes(path), path);
    }
  });

  it('link only to files and headings that are there', () => {
    const broken = markdown.flatMap((path) =>
      brokenLinks(path, textOf(path), around).map((target) => `${path} → ${target}`),
    );
    assert.deepEqual(broken, []);
  });

  it('name only npm scripts that there are', () => {
    const named = [...markdown, '.ci/run', ...everything.filter((path) => /^(crds|deploy|eventing)\//.test(path))];
    const wrong = named.flatMap((path) =>
      unknownScripts(textOf(path), around).map((name) => `${path}: npm run ${name}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('name in code only files and folders that are there, or how their paths begin', () => {
    const pages = markdown.filter((path) => !ofOtherFiles.test(path));
    const named = pages.flatMap((page) => pathsIn(textOf(page)).map((path) => ({ page, path })));
    assert.ok(named.length > 500, String(named.length));
    const wrong = named.filter(({ path }) => !everything.some((one) => one.startsWith(path)));
    assert.deepEqual(wrong, []);
  });

  it('give the console of a mesh the port after those of the functions, which follow the API and the Broker', () => {
    for (const page of ['README.md', 'docs/local-mode.md']) {
      const ports = [...textOf(page).matchAll(/127\.0\.0\.1:(\d+)\/console/g)].map(([, port]) => Number(port));
      assert.deepEqual([...new Set(ports)], [8302 + serviceNames.length], page);
    }
  });

  it('name in the tree every package, every resource and every folder at the top, and nothing else', () => {
    const [, table = ''] = textOf('docs/architecture.md').split('\n| folder | holds |\n|---|---|\n');
    const rows = (table.split('\n\n')[0] ?? '').split('\n');
    const named = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, one = '']) => one),
    );
    assert.deepEqual(named.toSorted(), foldersIn(everything));
  });
});

/** Paths of this repository in code. */
function pathsIn(text: string): readonly string[] {
  const tops =
    'packages|resources|cli|functions|test|tools|bench|deploy|eventing|crds|charts|docs|examples|\\.ci|\\.github';
  return [...text.matchAll(new RegExp(`\`((?:${tops})/[\\w./-]+)\``, 'g'))].map(([, path = '']) => path);
}

/** The folders of packages/ and resources/, and all others at the top but hidden ones, sorted. */
function foldersIn(paths: readonly string[]): readonly string[] {
  const folders = paths.flatMap((path) => {
    const [top = '', ...rest] = path.split('/');
    if (rest.length === 0 || top.startsWith('.')) return [];
    if (top !== 'packages' && top !== 'resources') return [top];
    return rest.length === 1 ? [] : [`${top}/${rest[0]}`];
  });
  return [...new Set(folders)].sort();
}

describe('the decisions', () => {
  const decisions = filesOf('docs/decisions', '.md').filter((path) => /\/\d/.test(path));

  it('are numbered without a gap', () => {
    const numbers = decisions.map((path) => Number(posix.basename(path).slice(0, 4)));
    assert.deepEqual(
      numbers,
      decisions.map((_, index) => index + 1),
    );
  });

  for (const path of decisions) {
    it(`${path} says context, decision and consequences on one page`, () => {
      const text = textOf(path);
      const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      assert.deepEqual(headings.slice(0, 3), ['Context', 'Decision', 'Consequences']);
      assert.ok(linesOf(text) <= 60, `${linesOf(text)} lines; a page has 60`);
    });
  }
});

describe('the files', () => {
  it('of code have at most 200 lines', () => {
    const code = everything.filter((path) => /\.(ts|js|mjs|cjs|go|sh)$/.test(path) && !generated.includes(path));
    const long = code.map((path) => ({ path, lines: linesOf(textOf(path)) })).filter(({ lines }) => lines > 200);
    assert.deepEqual(
      long.map(({ path, lines }) => `${path}: ${lines}`),
      [],
    );
  });

  it('that are not held to it say that they are generated', () => {
    for (const path of generated) assert.match(textOf(path).split('\n')[0] ?? '', /Generated/);
  });

  it('name no place of one machine', () => {
    const naming = everything.flatMap((path) => {
      const text = textOf(path);
      return placesOfOneMachine.filter((place) => text.includes(place)).map((place) => `${path}: ${place}`);
    });
    assert.deepEqual(naming, []);
  });
});
