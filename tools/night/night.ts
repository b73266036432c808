// Runs what takes too long for CI: npm run night [-- [--list] [--json] [PART...]]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nightMinutes, nightOf, partsOf } from './parts.ts';
import { clock, reportOf } from './report.ts';
import { commandOf, runNight } from './run-night.ts';

const usage = `usage: npm run night [-- [--list] [--json] [PART...]]
  PART...   only these; without any, all of them, which is at most ${nightMinutes / 60} hours
  --list    the parts, and runs none
  --json    the report as JSON`;

const began = new Date();
const root = join(import.meta.dirname, '../..');
const { values, positionals } = readArguments(process.argv.slice(2));
const all = partsOf(nightOf(began));
const unknown = positionals.filter((name) => !all.some((part) => part.name === name));
const parts = positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name));

if (values.help) console.log(usage);
else if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts are: ${all.map(({ name }) => name).join(', ')}`);
  process.exitCode = 2;
} else if (values.list) list();
else await run();

function list(): void {
  if (values.json) {
    console.log(JSON.stringify(parts, undefined, 2));
    return;
  }
  for (const part of parts)
    console.log(
      `${part.name.padEnd(15)}  ${String(part.minutes).padStart(2)} minutes  ${part.what}: ${commandOf(part)}`,
    );
}

async function run(): Promise<void> {
  const folder = join(root, '.knudge/night', began.toISOString().replace(/[:.]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  const log = (line: string) => console.error(`[${clock((Date.now() - began.getTime()) / 1000)}] ${line}`);
  process.chdir(root);
  const limitMs = nightMinutes * 60_000;
  const results = await runNight({ parts, folder, limitMs, graceMs: 60_000, signal: stopped.signal, log });
  const text = reportOf(results, began);
  const json = JSON.stringify({ began, folder, results }, undefined, 2);
  writeFileSync(join(folder, 'report.txt'), text);
  writeFileSync(join(folder, 'report.json'), `${json}\n`);
  console.log(values.json ? json : `\n${text}`);
  log(`The report is in ${join(folder, 'report.txt')}`);
  if (results.some(({ outcome }) => outcome !== 'passed')) process.exitCode = 1;
}

function readArguments(args: readonly string[]) {
  const option = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { list: option, json: option, help: option },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}
