import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { newFolder } from '../log-folder.ts';

test("the console's answers are about the namespace of the project's own controller", async (context) => {
  const dir = newFolder(context);
  for (const folder of ['functions', 'crds', 'eventing']) mkdirSync(join(dir, folder));
  writeFileSync(join(dir, 'functions/table.ts'), 'export const table = {};\n');
  writeFileSync(join(dir, 'eventing/broker.yaml'), 'kind: Broker\nmetadata:\n  name: shop\n  namespace: shop\n');
  const dev = pathToFileURL(join(import.meta.dirname, '../../dev.ts')).href;
  const script = `const { answersFor } = await import('${dev}'); console.log(answersFor({ dir: '.knudge' }).namespace);`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: dir });
  assert.equal((await run).stdout, 'shop\n');
});
