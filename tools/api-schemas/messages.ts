// Writes packages/kube-api/http/protobuf/messages.json, or checks with --check that it is what the pinned Go modules declare.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pinnedMessages } from './pinned-messages.ts';
import { GoError } from './pinned-modules.ts';

const file = join(import.meta.dirname, '../../packages/kube-api/http/protobuf/messages.json');
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

try {
  await write(pinnedMessages());
} catch (error) {
  if (!(error instanceof GoError)) throw error;
  fail(error.message);
}

async function write(wanted: string): Promise<void> {
  const present = await readFile(file, 'utf8').catch(() => '');
  if (wanted === present) return;
  if (check)
    return fail('messages.json is not what the pinned modules declare: run node tools/api-schemas/messages.ts');
  await writeFile(file, wanted);
  process.stdout.write(`${file} written\n`);
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
