import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { processNames } from '../../functions/table.ts';
import { startApiStub } from './api-stub.ts';
import { firstEvents } from './first-events.ts';
import { freePort, untilListening } from './listening.ts';
import { cacheOf, run, scriptOf } from './script.ts';

// Beside the bundles: `node code-cache.cjs` makes the code cache of each function, in a process of its own, and
// `node code-cache.cjs <stem>` that of one; further stems are those that a Service serves which is not in the table. V8 takes a cache only in the version and with the flags that made it, so an
// image makes its own.
const [stem, ...served] = process.argv.slice(2);

/**
 * With these, and with `compilers` off, the same bundle gives the same bytes, and V8 takes them without: strings hash alike,
 * nothing is done beside the work, and no garbage collection makes functions older, which a cache tells of them.
 */
const repeatable = ['--predictable', '--min-semi-space-size=64'];

/** Those beyond bytecode, which alone a cache has: it tells of a function that one of them was at work, which is a matter of time. */
const compilers = ['sparkplug', 'maglev', 'turbofan'];
const bundles = `${__dirname}/functions`;

if (stem === undefined) makeAll();
else make(stem).then(() => process.exit(0), failed);

function makeAll(): void {
  const stems = readdirSync(bundles).flatMap((file) => (file.endsWith('.cjs') ? [file.slice(0, -'.cjs'.length)] : []));
  for (const each of stems.filter((name) => processNames.includes(name))) {
    const args = [...repeatable, __filename, each];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
    if (status !== 0) failed(new Error(`no code cache of ${each} could be made: ${stderr.trim()}`));
  }
}

/** Runs the function, has it answer its first events, and keeps what V8 has compiled for that. */
async function make(name: string): Promise<void> {
  const bundle = `${bundles}/${name}.cjs`;
  for (const compiler of compilers) setFlagsFromString(`--no-${compiler}`);
  const api = await startApiStub();
  const port = await freePort();
  process.env['PORT'] = String(port);
  process.env['KUBERNETES_SERVICE_HOST'] = '127.0.0.1';
  process.env['KUBERNETES_SERVICE_PORT'] = String(api.port);
  // The stub has no parents, so nothing is sent there.
  process.env['K_SINK'] = 'http://127.0.0.1:9/';
  delete process.env['KUBECONFIG'];
  delete process.env['DATABASE_URL'];
  process.env['EVENT_LOG'] = `${mkdtempSync(`${tmpdir()}/knudge-cache-`)}/events.db`;
  const script = scriptOf(bundle, undefined);
  run(script, bundle, requireWithMount(bundle, api.authority));
  await untilListening(port);
  for (const { path, status, ...event } of firstEvents(name, served)) {
    const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, { method: 'POST', ...event });
    if (answer.status === status) continue;
    throw new Error(`${name} answers its first event with ${String(answer.status)}: ${await answer.text()}`);
  }
  // A cache counts only with the flags that it was made with.
  for (const compiler of compilers) setFlagsFromString(`--${compiler}`);
  writeFileSync(cacheOf(bundle), script.createCachedData());
}

/** A `require` whose file system has the mount of a ServiceAccount. */
function requireWithMount(bundle: string, authority: string): NodeJS.Require {
  const mount = '/var/run/secrets/kubernetes.io/serviceaccount';
  const mounted = new Map<unknown, string>([
    [`${mount}/token`, 'token'],
    [`${mount}/ca.crt`, authority],
  ]);
  const readFile = async (path: string, options: 'utf8') => mounted.get(path) ?? promises.readFile(path, options);
  const require = createRequire(bundle);
  const replaced = (name: string) =>
    (name === 'node:fs/promises' ? { ...promises, readFile } : require(name)) as unknown;
  return Object.assign(replaced, require);
}

function failed(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
