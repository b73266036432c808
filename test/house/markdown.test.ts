import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesOf, textOf } from './files.ts';
import { type Around, brokenLinks, linesOf, unknownScripts } from './markdown.ts';
import { longLines } from './prose.ts';

const mostSigns = 120;
const markdown = filesOf('.', '.md');

const pages: Readonly<Record<string, string>> = {
  'docs/other.md': '# Other\n\n## Why not?\n\n## A `code` and [a link](x.md)\n\n## Why not?\n\n## Why not?\n',
  'docs/picture.svg': '<svg id="a"/>',
  'README.md': '# Top\n',
};
const around: Around = {
  exists: (path) => path in pages || path === 'docs',
  textOf: (path) => pages[path] ?? '',
  scripts: ['test', 'check:static'],
};

/** The text of `docs/page.md`, and the targets in it that must be found. */
const links: readonly { name: string; text: string; found: readonly string[] }[] = [
  { name: 'a link to no file', text: '[a](none.md) [b](other.md)', found: ['none.md'] },
  { name: 'a link to a file beside the folder', text: '[a](../README.md) [b](README.md)', found: ['README.md'] },
  { name: 'a link in the list at the end', text: '[a][b]\n\n[b]: none.md\n[c]: other.md\n', found: ['none.md'] },
  {
    name: 'a link between angles, with a title',
    text: '[a](<none.md> "title") [b](other.md "title")',
    found: ['none.md'],
  },
  { name: 'a picture', text: '![a](none.svg) ![b](picture.svg)', found: ['none.svg'] },
  { name: 'each link of a line', text: '[a](x.md) and [b](y.md)', found: ['x.md', 'y.md'] },
  { name: 'a link behind a block of code', text: '```\na\n```\n[a](x.md)\n```\nb\n```\n', found: ['x.md'] },
  { name: 'an anchor without a heading', text: '[a](other.md#none) [b](other.md#other)', found: ['other.md#none'] },
  { name: 'an anchor of the page itself', text: '# Own one\n[a](#own-one) [b](#another)', found: ['#another'] },
  { name: 'an anchor of a file that is missing', text: '[a](none.md#a)', found: ['none.md#a'] },
  {
    name: 'a heading in a block of code',
    text: '```\n# Not a heading\n```\n[a](#not-a-heading)',
    found: ['#not-a-heading'],
  },
  {
    name: 'the third of equal headings, and not a fourth',
    text: '[a](other.md#why-not) [b](other.md#why-not-1) [c](other.md#why-not-2) [d](other.md#why-not-3)',
    found: ['other.md#why-not-3'],
  },
  {
    name: 'a heading with code and a link, by its words',
    text: '[a](other.md#a-code-and-a-link) [b](other.md#a-code-and-a-linkxmd)',
    found: ['other.md#a-code-and-a-linkxmd'],
  },
  { name: 'not the anchor of another kind of file', text: '[a](picture.svg#a)', found: [] },
  {
    name: 'not an address, nor a folder',
    text: '[a](https://a.example/none.md#b) [b](mailto:a@b.example) [c](../docs)',
    found: [],
  },
  {
    name: 'not a link in a block of code',
    text: '```md\n[a](none.md)\n```\n- b\n  ```\n  [a](none.md)\n  ```\n',
    found: [],
  },
];

const scripts: readonly { name: string; text: string; found: readonly string[] }[] = [
  { name: 'a script that does not exist', text: '`npm run none` and `npm run check:static`', found: ['none'] },
  { name: 'a script behind options', text: 'npm run --silent -w=a none', found: ['none'] },
  { name: 'a script in a block of code', text: '```bash\nnpm run none -- --all\n```\n', found: ['none'] },
  { name: 'npm start', text: 'npm start && npm test', found: ['start'] },
  { name: 'not other commands of npm', text: 'npm ci, npm install run, npm starts', found: [] },
];

describe('a page', () => {
  for (const { name, text, found } of links) {
    it(`has found in it ${name}`, () => assert.deepEqual(brokenLinks('docs/page.md', text, around), found));
  }

  for (const { name, text, found } of scripts) {
    it(`has found in it ${name}`, () => assert.deepEqual(unknownScripts(text, around), found));
  }

  it('has as many lines as it ends', () => {
    assert.deepEqual(['', 'a', 'a\n', 'a\nb', 'a\n\n'].map(linesOf), [1, 1, 1, 2, 2]);
  });
});

describe('a line of Markdown', () => {
  const long = 'a'.repeat(mostSigns + 1);
  const rows = [
    { name: 'is found where it is too long', text: `a\n${long}\n`, found: [2] },
    { name: 'is counted in signs, not in bytes', text: '×'.repeat(mostSigns), found: [] },
    { name: 'may be a row of a table', text: `| ${long} |`, found: [] },
    { name: 'may hold a link', text: `${long} [a](b.md)`, found: [] },
    { name: 'may be code', text: `\`\`\`\n${long}\n\`\`\`\n  \`${long}\`.`, found: [] },
    {
      name: 'may be drawn by a command',
      text: `<!-- a: from here -->\n${long}\n<!-- a: to here -->\n${long}`,
      found: [4],
    },
  ];
  for (const { name, text, found } of rows) it(name, () => assert.deepEqual(longLines(text, mostSigns), found));

  it(`has at most ${mostSigns} signs`, () => {
    assert.deepEqual(
      markdown.flatMap((path) => longLines(textOf(path), mostSigns).map((line) => `${path}:${line}`)),
      [],
    );
  });
});
