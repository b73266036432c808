import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { processNames } from '../../functions/table.ts';
import { compileCache, repeatable } from '../../packages/image/cache/compile.ts';
import { freePort } from '../../packages/image/cache/listening.ts';
import { cacheOf } from '../../packages/image/cache/script.ts';
import { startApiStub } from './api-stub.ts';
import { firstEvents } from './first-events.ts';

// Beside the bundles: `node code-cache.cjs` makes the code cache of each function, in a process of its own, and
// `node code-cache.cjs <stem>` that of one; further stems are those of a Service that is not in the table. V8 accepts a cache only in
// the version and with the flags that made it, so an image makes its own.
const [stem, ...served] = process.argv.slice(2);

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

/** Runs the function, lets it answer its first events, and writes what V8 has compiled for that. */
async function make(name: string): Promise<void> {
  const bundle = `${bundles}/${name}.cjs`;
  const api = await startApiStub();
  const port = await freePort();
  process.env['PORT'] = String(port);
  process.env['KUBERNETES_SERVICE_HOST'] = '127.0.0.1';
  process.env['KUBERNETES_SERVICE_PORT'] = String(api.port);
  // The stub has no parents, so nothing is sent to this address.
  process.env['K_SINK'] = 'http://127.0.0.1:9/';
  delete process.env['KUBECONFIG'];
  delete process.env['DATABASE_URL'];
  const folder = mkdtempSync(`${tmpdir()}/knudge-cache-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env['EVENT_LOG'] = `${folder}/events.db`;
  const events = firstEvents(name, served);
  const require = requireWithMount(bundle, api.authority);
  const cache = await compileCache({ bundle, port, events, require }).catch((error: unknown) => {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  });
  writeFileSync(cacheOf(bundle), cache);
}

/** A `require` with a file system that has the mount of a ServiceAccount. */
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
