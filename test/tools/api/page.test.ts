import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filled, pageOf } from '../../../tools/api/page.ts';
import { textOf } from '../../house/files.ts';

const page = pageOf({
  text: (path) => (path.endsWith('.md') ? '# a\n\nIt is\none.\n\nMore.\n' : "export { type A, b } from './a.ts';\n"),
  declared: () => '/** A noun. */\nexport interface A {\n}\n/** It does. */\nexport declare function b(): void;\n',
});

test('each package has what its README begins with, then functions before types', () => {
  const section = `## @knudge/mesh

It is one.

How it is used: [packages/mesh](../packages/mesh/README.md).

### \`b\`

It does.

\`\`\`ts
function b(): void;
\`\`\`

### \`A\`

A noun.

\`\`\`ts
interface A {
}
\`\`\`
`;
  assert.ok(page.includes(`\n${section}`), page);
});

test('the entry for tests has a section beside that of its package, with its own README', () => {
  const sections = [...page.matchAll(/^## (.*)\n\n.*\n\nHow it is used: \[(.*)\]\((.*)\)\.$/gm)].map((found) =>
    found.slice(1),
  );
  const testing = 'packages/controller/testing';
  assert.deepEqual(sections.slice(1, 3), [
    ['@knudge/controller', 'packages/controller', '../packages/controller/README.md'],
    ['@knudge/controller/testing', testing, `../${testing}/README.md`],
  ]);
});

test('a paragraph fills its lines, and no line is longer than 120 characters', () => {
  const words = Array.from({ length: 100 }, (_, index) => 'w'.repeat(1 + (index % 9)));
  const lines = filled(words.join('\n'));
  assert.equal(lines.join(' '), words.join(' '));
  assert.ok(lines.every((line) => line.length <= 120));
  assert.ok(lines.slice(0, -1).every((line) => line.length > 110));
});

test('docs/api.md has no longer line outside of its code', () => {
  const lines = textOf('docs/api.md')
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n');
  assert.ok(lines.length > 200);
  assert.deepEqual(
    lines.filter((line) => line.length > 120),
    [],
  );
});
