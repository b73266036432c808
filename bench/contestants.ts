import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleCacheMaker, bundleLoader, bundleService, loadedLate, shared } from '../tools/build/bundles.ts';
import { leaveOut, replace } from '../tools/build/leave-out.ts';

/** The programs that a bench starts. */
export interface Contestants {
  readonly folder: string;
  readonly preload: string;
  /** The arguments after `node`: with the code cache, as in an image, or only the bundle. */
  readonly cached: (name: string) => readonly string[];
  readonly plain: (name: string) => readonly string[];
  /** A function from one ES module, and from its sources. */
  readonly module: (name: string) => readonly string[];
  readonly source: (name: string) => readonly string[];
  /** Bytes of the largest bundle of a function. */
  readonly largest: number;
}

/** express alone, and with the function for Pods behind it. */
const onExpress = ['express', 'behind-express'] as const;

/** Builds Services of functions as the image has them, and beside them the servers that they are compared with. */
export async function buildContestants(names: readonly string[]): Promise<Contestants> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-bench-'));
  const bundles = await Promise.all(names.map((name) => bundleService(name, folder)));
  await Promise.all([
    bundleLoader(folder),
    bundleCacheMaker(folder),
    bundleServer('bare', folder),
    bundleModule(folder),
    ...onExpress.map((name) => bundleServer(name, folder)),
  ]);
  await build({ ...shared, entryPoints: ['bench/contestants/preload.ts'], outfile: join(folder, 'preload.cjs') });
  for (const name of [...names, ...onExpress]) makeCache(name, folder);
  return {
    folder,
    preload: join(folder, 'preload.cjs'),
    cached: (name) => [join(folder, 'function.cjs'), name],
    plain: (name) => [join(folder, 'functions', `${name}.cjs`)],
    module: (name) => [join(folder, 'functions.mjs'), name],
    source: (name) => [join(import.meta.dirname, '../packages/start/function.ts'), name],
    largest: Math.max(...bundles.map(({ bytes }) => bytes)),
  };
}

/** Bundled with the same care as a function: tables that no answer needs are left out. */
async function bundleServer(name: string, folder: string): Promise<void> {
  await build({
    ...shared,
    entryPoints: [`bench/contestants/${name}.ts`],
    plugins: [replace(smallTables), leaveOut, loadedLate],
    external: ['@kubernetes/client-node'],
    outfile: join(folder, 'functions', `${name}.cjs`),
  });
}

const moduleEntry = `
  import { controller } from './functions/table.ts';
  import { runProcess } from './packages/start/run.ts';
  await runProcess(process.argv[2], controller);`;

/** All functions in one ES module, to be started with a stem. */
async function bundleModule(folder: string): Promise<void> {
  // Packages in CommonJS ask for Node's modules with `require`, which an ES module has not got.
  const banner = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;
  await build({
    ...shared,
    stdin: {
      contents: moduleEntry,
      resolveDir: join(import.meta.dirname, '..'),
      sourcefile: 'functions.ts',
      loader: 'ts',
    },
    format: 'esm',
    banner: { js: banner },
    plugins: [leaveOut, loadedLate],
    external: ['@kubernetes/client-node'],
    outfile: join(folder, 'functions.mjs'),
  });
}

const smallTables = {
  'iconv-lite': `
    const { StringDecoder } = require('node:string_decoder');
    exports.encodingExists = (name) => /^utf-?8$/i.test(name);
    exports.getDecoder = () => new StringDecoder('utf8');
    exports.decode = (bytes) => bytes.toString('utf8');`,
  'mime-db': `module.exports = { 'application/json': { charset: 'UTF-8', extensions: ['json'] } };`,
};

function makeCache(name: string, folder: string): void {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'code-cache.cjs'), name], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`no code cache of ${name}: ${stderr}`);
}
