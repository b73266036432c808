import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesOf, textOf } from './files.ts';
import { longLines } from './prose.ts';
import { refused, words } from './words.ts';

/** Theirs is the folder, or a command that writes it, or the words themselves: `words.ts` names what it refuses. */
const left = /^test\/house\/(?:words|english\.test)\.ts$/;
const markdown = filesOf('.', '.md');
const sources = filesOf('.', '.ts').filter((path) => !left.test(path));
/** Objects that a test compares with or that others have written, as they are. */
const recorded = /^(?:test\/fixtures|packages\/kube-api\/fidelity)\//;
const others = [
  ...['.yaml', '.yml', '.sh', '.js', '.mjs', '.go'].flatMap((ending) => filesOf('.', ending)),
  ...filesOf('.ci'),
  'Dockerfile',
].filter((path) => !recorded.test(path));
const mostSigns = 120;

/** A text, the path of the file that it might stand in, and what is found in it. */
const texts: readonly { name: string; path: string; text: string; found: readonly string[] }[] = [
  { name: 'a word of the table', path: 'a.md', text: 'Whoever asks\n', found: ['1: "Whoever"'] },
  {
    name: 'two words of a sentence that goes on in the next line',
    path: 'a.md',
    text: 'A\nB is\nnone.',
    found: ['2: "is none"'],
  },
  {
    name: 'each word of a line',
    path: 'a.md',
    text: 'who is told of it, so long',
    found: ['1: "told"', '1: "so long"'],
  },
  {
    name: 'a comment, at its line',
    path: 'a.ts',
    text: "\n/** One.\n * It tells more. */\nconst a = '';",
    found: ['3: "tells"'],
  },
  { name: 'comments of two lines as one', path: 'a.ts', text: '// It is\n// none.', found: ['1: "is none"'] },
  {
    name: 'a message',
    path: 'a.ts',
    text: `throw new Error(\`\${name} is none: it has \${'x'}\`);`,
    found: ['1: "is none"'],
  },
  {
    name: 'a message behind a quote in a regular expression',
    path: 'a.ts',
    text: `f(/'/, 'is told of');`,
    found: ['1: "told"'],
  },
  { name: 'a comment of a test', path: 'test/a.test.ts', text: '// for his sake', found: ['1: "his"'] },
  { name: 'not the title of a test', path: 'test/a.test.ts', text: "test('whoever asks')", found: [] },
  {
    name: 'not a word in a place that the table leaves out',
    path: 'test/a.ts',
    text: '// It is no name.',
    found: [],
  },
  {
    name: 'not a title that a page quotes',
    path: 'a.md',
    text: '`a.test.ts` "it is told", `b.test.ts` "told"',
    found: [],
  },
  { name: 'not code', path: 'a.md', text: '`is none` [a](tells.md)\n```\nwhoever\n```\n', found: [] },
  {
    name: 'not the name of a variable',
    path: 'a.ts',
    text: `const told = tells.of\`\${told} and\`; // \`told\``,
    found: [],
  },
  { name: 'not the path of a file', path: 'a.ts', text: "import { a } from './told.ts';", found: [] },
  {
    name: 'comments in YAML, two lines as one, and behind a value',
    path: 'a.yaml',
    text: 'a: 1 # told\n# It is\n# none.\nb: "#told"\n',
    found: ['2: "is none"', '1: "told"'],
  },
  {
    name: 'a text for people in YAML, and no other value',
    path: 'a.yaml',
    text: '- about: It is told.\n  name: told\n  message: This is no name.\n',
    found: ['1: "told"', '3: "is no name"'],
  },
  {
    name: 'a comment of a script',
    path: '.ci/run',
    text: '#!/bin/whoever\n\n# Whoever runs it\n',
    found: ['3: "Whoever"'],
  },
  {
    name: 'a comment and a message in Go',
    path: 'a.go',
    text: '// It is told.\nreturn fmt.Errorf("%q is none of a and b", a)\n',
    found: ['1: "told"', '2: "is none"'],
  },
  { name: 'a comment in JavaScript', path: 'a.mjs', text: '/** It is told. */\ntell(1);\n', found: ['1: "told"'] },
  { name: 'there is none', path: 'a.md', text: 'There is none. If there are none, wait.', found: [] },
  {
    name: 'told apart, told to, cannot tell',
    path: 'a.md',
    text: 'tell a Pod from others; told to end; cannot tell',
    found: [],
  },
  {
    name: 'no for not in a message',
    path: 'a.ts',
    text: "f('this is no name, there is no name')",
    found: ['1: "is no name"'],
  },
  {
    name: 'a comment that is half a sentence',
    path: 'a.ts',
    text: '/** Absent: all. */',
    found: ['1: "Absent:"'],
  },
  {
    name: 'half a sentence behind a whole one, and in a line of its own',
    path: 'a.ts',
    text: '/** One. Absent: all. */\n/**\n * Two.\n * Absent: all.\n */',
    found: ['1: "Absent:"', '4: "Absent:"'],
  },
  { name: 'so long that', path: 'a.md', text: 'so long that it ends, so many Pods that it waits', found: [] },
];

describe('the English of the house', () => {
  for (const { name, path, text, found } of texts) {
    it(`finds ${name}`, () => {
      const findings = refused(path, text);
      assert.deepEqual(
        findings.map((finding) => /^[^:]+:(.*?): write ./.exec(finding)?.[1]),
        found,
      );
    });
  }

  it('is tried with each word of the table', () => {
    const findings = texts.flatMap(({ path, text }) => refused(path, text));
    assert.deepEqual(
      words.filter(({ instead }) => !findings.some((finding) => finding.endsWith(`: write ${instead}`))),
      [],
    );
  });

  it('refuses words in documents, comments and messages, and says what to write', () => {
    assert.ok(markdown.length > 50 && sources.length > 500 && others.length > 150);
    assert.deepEqual(
      [...markdown, ...sources, ...others].flatMap((path) => refused(path, textOf(path))),
      [],
    );
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
