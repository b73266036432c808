import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shipped, textOf } from './files.ts';
import { proseOf } from './prose.ts';

const ofEngine = /\bpackages\/[a-z-]+\//;

/** Each message of a source that names a file of the engine, as `path:line`. */
function naming(path: string, text: string): readonly string[] {
  const { messages } = proseOf(text);
  return messages.filter((message) => ofEngine.test(message.text)).map(({ line }) => `${path}:${line}`);
}

test('a message that names a file of the engine is found, and none of a project', () => {
  const text =
    "import { a } from '../packages/a/b.ts';\nthrow new Error('add it to packages/a/b.ts');\nthrow new Error(`in functions/table.ts`);";
  assert.deepEqual(naming('a.ts', text), ['a.ts:2']);
});

test('no message of the packages and the command line names a file of the engine: users have other files before them', () => {
  const files = shipped.filter((path) => /^(?:packages|cli)\//.test(path));
  assert.ok(files.length > 500);
  assert.deepEqual(
    files.flatMap((path) => naming(path, textOf(path))),
    [],
  );
});
