import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesOf, textOf } from './files.ts';
import { refused, words } from './words.ts';

/** Theirs is the folder, or a command that writes it, or the words themselves: `words.ts` names what it refuses. */
const left = /^test\/house\/(?:words|english\.test)\.ts$/;
const markdown = filesOf('.', '.md');
const sources = filesOf('.', '.ts').filter((path) => !left.test(path));
/** Objects that a test compares with or that others have written, as they are. */
const recorded = /^(?:test\/fixtures|packages\/kube-api\/fidelity)\//;
const others = [
  ...['.tpl', 'NOTES.txt', '.yaml', '.yml', '.sh', '.js', '.mjs', '.go'].flatMap((ending) => filesOf('.', ending)),
  ...filesOf('.ci'),
  ...filesOf('cli/new', '.txt'),
  'Dockerfile',
  'biome.json',
].filter((path) => !recorded.test(path));

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
  {
    name: 'a text for people in YAML that stands in the lines below, and what follows is no longer it',
    path: 'a.yaml',
    text: 'a:\n  description: >-\n    It is\n    none.\n\n    It is told.\n  name: |\n    told\n- message: |\n    told',
    found: ['3: "is none"', '6: "told"', '10: "told"'],
  },
  {
    name: 'a message in JSON, and no name',
    path: 'biome.json',
    text: '{\n  "told": "Whoever calls it waits."\n}\n',
    found: ['2: "Whoever"'],
  },
  {
    name: 'a comment and the text of a template of Helm, and not what it computes',
    path: 'charts/a/templates/NOTES.txt',
    text: '{{/* It is told. */}}\nIt is\n{{- if .Values.told }} none {{ end }}\nWhoever asks\n',
    found: ['1: "told"', '4: "Whoever"'],
  },
  {
    name: 'a comment of a file that a command writes, without what it fills in',
    path: 'cli/new/handler.txt',
    text: 'import { <TOLD> } from "a";\n/** A <ABOUT> is told. */\n',
    found: ['2: "told"'],
  },
  {
    name: 'an amount without a number',
    path: 'a.md',
    text: 'so much of it, so much that it ends',
    found: ['1: "so much"'],
  },
  {
    name: 'a sentence of a comment whose subject is who',
    path: 'a.ts',
    text: '/** Who waits is woken. */\n// A. Whose turn it is\n/**\n * Who asks?\n * Nobody.\n */\n',
    found: ['1: "Who waits"', '2: "Whose turn"'],
  },
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
