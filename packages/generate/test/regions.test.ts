import assert from 'node:assert/strict';
import { test } from 'node:test';
import { root } from '../../../test/house/files.ts';
import { factsOf } from '../manifests/facts.ts';
import { filled } from '../manifests/regions.ts';
import { folderAt, projectIn } from '../project.ts';

const facts = factsOf(projectIn(folderAt(root)));
const path = 'deploy/network-policies/tunnels.yaml';
const place = (name: string): string =>
  `  # By \`npm run manifests\`, from here: ${name}\n  what: was there\n  # By \`npm run manifests\`, to here\n`;

test('a place holds what is made, as far in as its comments, and what is around it stays', () => {
  const text = filled(facts, path, `before: 1\n${place('others')}after: 2\n`);
  assert.match(text, /^before: 1\n {2}# .*: others\n {2}values: \[event-log, .*\]\n {2}# .*, to here\nafter: 2\n$/);
  assert.equal(filled(facts, path, text), text);
});

test('a file that has lost its place is an error', () => {
  assert.throws(() => filled(facts, path, 'after: 2\n'), /tunnels\.yaml has no place others: begin one with # By/);
});

test('a place that nothing is made for is an error', () => {
  assert.throws(
    () => filled(facts, path, place('other')),
    /tunnels\.yaml: no place of this file is called other: remove its comments/,
  );
});
