import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).href;
const bin = fileURLToPath(new URL('../knudge.js', import.meta.url));

/** Says at the end what was loaded, and where compiled code is kept. */
const preload = `data:text/javascript,${encodeURIComponent(`
  import { getCompileCacheDir, registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => {
    console.error(JSON.stringify({ loaded, cache: getCompileCacheDir(), inherited: process.env.NODE_COMPILE_CACHE }));
  });
`)}`;

interface Seen {
  readonly loaded: readonly string[];
  readonly cache?: string;
  readonly inherited?: string;
}

async function seen(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Seen> {
  const { NODE_COMPILE_CACHE: _, ...clean } = process.env;
  const { stderr } = await run(process.execPath, ['--import', preload, bin, ...args], { env: { ...clean, ...env } });
  return JSON.parse(stderr) as Seen;
}

/** In a process of its own: what a test loads counts as code that it should run. */
const asked = `
  const { commandsFor } = await import('${root}cli/commands.ts');
  const names = (await commandsFor('')).flatMap((command) => [command.name(), ...command.aliases()]);
  const found = names.map(async (name) => [name, (await commandsFor(name)).map((command) => command.name())]);
  console.log(JSON.stringify(await Promise.all(found)));
`;

test('each subcommand comes alone by each of its names, but that which completes all', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', asked]);
  const found = new Map(JSON.parse(stdout) as [string, string[]][]);
  assert.ok(found.size >= 14, stdout);
  for (const [name, own] of found) {
    if (name === 'completion') assert.equal(own.length, found.size - 1, 'without the second name of dev');
    else assert.deepEqual(own, [name === 'start' ? 'dev' : name]);
  }
});

test('`knudge version` loads a dozen files of ours and one package, `knudge --help` all subcommands', async () => {
  const ours = ({ loaded }: Seen) => loaded.filter((url) => url.startsWith(root) && !url.includes('/node_modules/'));
  const packagesOf = ({ loaded }: Seen) =>
    new Set(loaded.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []));
  const version = await seen(['version']);
  assert.deepEqual(packagesOf(version), new Set(['commander']));
  assert.ok(ours(version).length <= 15, ours(version).join('\n'));
  const help = await seen(['--help']);
  assert.ok(ours(help).length >= 50, String(ours(help).length));
});

test('what is compiled is kept beside the command line, also for threads and processes; who names another folder has that', async (context) => {
  const kept = fileURLToPath(new URL('cli/node_modules/.cache/knudge', root));
  const usual = await seen(['version']);
  assert.equal(usual.inherited, kept);
  assert.ok(usual.cache?.startsWith(kept), usual.cache);
  const mine = mkdtempSync(join(tmpdir(), 'knudge-cache-'));
  context.after(() => rmSync(mine, { recursive: true }));
  const other = await seen(['version'], { NODE_COMPILE_CACHE: mine });
  assert.equal(other.inherited, mine);
});
