import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { filesOf, root, textOf } from './files.ts';

const everything = filesOf('.');
const markdown = everything.filter((path) => path.endsWith('.md'));
const generated = ['resources/distributed-service/types.ts', 'resources/message/types.ts'];
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

  it('link only to what is there', () => {
    const broken = markdown.flatMap((path) =>
      linksOf(textOf(path))
        .filter((link) => !existsSync(join(root, posix.dirname(path), link)))
        .map((link) => `${path} → ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it('link only to headings that are there', () => {
    const broken = markdown.flatMap((path) =>
      anchorsOf(path)
        .filter(({ file, anchor }) => existsSync(join(root, file)) && !headingsOf(textOf(file)).includes(anchor))
        .map(({ file, anchor }) => `${path} → ${file}#${anchor}`),
    );
    assert.deepEqual(broken, []);
  });

  it('name only npm scripts that there are', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = [...markdown, '.ci/run', ...everything.filter((path) => /^(crds|deploy|eventing)\//.test(path))];
    const wrong = named.flatMap((path) =>
      scriptsIn(textOf(path))
        .filter((name) => !Object.hasOwn(scripts, name))
        .map((name) => `${path}: npm run ${name}`),
    );
    assert.deepEqual(wrong, []);
  });
});

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

/** Relative links of a Markdown text, without their anchors. */
function linksOf(text: string): readonly string[] {
  return targetsOf(text)
    .map((target) => target.split('#')[0] ?? '')
    .filter((link) => link !== '');
}

function anchorsOf(path: string): readonly { file: string; anchor: string }[] {
  return targetsOf(textOf(path)).flatMap((target) => {
    const [link = '', anchor] = target.split('#');
    const file = link === '' ? path : posix.join(posix.dirname(path), link);
    return anchor === undefined || !file.endsWith('.md') ? [] : [{ file, anchor }];
  });
}

function targetsOf(text: string): readonly string[] {
  const found = [...withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/gm)];
  return found
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

/** The anchors of a text's headings, as GitHub makes them. */
function headingsOf(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function scriptsIn(text: string): readonly string[] {
  const found = text.matchAll(/\bnpm (?:run (?:--?[\w=-]+ )*([a-z][\w:-]*)|(test|start)\b)/g);
  return [...found].map(([, run, short]) => run ?? short ?? '');
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
