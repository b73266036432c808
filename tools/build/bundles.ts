import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { type ChangeStem, looksAt, watches } from '../../functions/table.ts';
import { bundlePages } from '../../packages/console/build/build.ts';
import { withBuiltPages } from '../../packages/image/built-pages.ts';
import { changesEntry, serviceEntry } from './entry.ts';
import { childrenAlone, leaveOut } from './leave-out.ts';

const root = join(import.meta.dirname, '../..');

/** One file that esbuild made, with a list of what is inside. */
export interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly metafile: Metafile;
}

/**
 * CommonJS: an ES module that imports node:http loads a whole HTTP client with it, which doubles a cold start.
 * ASCII: a loader may then read it byte by byte.
 */
export const shared = {
  absWorkingDir: root,
  bundle: true,
  charset: 'ascii',
  format: 'cjs',
  legalComments: 'none',
  logLevel: 'error',
  metafile: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  // `import()` becomes a `require`: otherwise the loader of ES modules would start too.
  supported: { 'dynamic-import': false },
} as const satisfies BuildOptions;

/** A file in CommonJS cannot be split, so modules that are loaded late become files of their own. */
export const loadedLate: Plugin = {
  name: 'loaded-late',
  setup: ({ onResolve, onLoad }) => {
    const apart = (filter: RegExp, path: string): void =>
      onResolve({ filter }, ({ kind }) => (kind === 'dynamic-import' ? { path, external: true } : undefined));
    apart(/\/issue\.ts$/, './certificates.cjs');
    apart(/\/jose\.ts$/, './tokens.cjs');
    apart(/\/(try-out|trial)\.ts$/, './plans.cjs');
    apart(/^pg$/, './postgres.cjs');
    apart(/^express$/, './express.cjs');
    onLoad({ filter: /\/store\/thread-address\.ts$/ }, () => ({
      contents: "export const threadAddress = __dirname + '/event-log-thread.cjs';",
    }));
  },
};

/** One Knative Service with all it needs, as `<folder>/functions/<name>.cjs`: one function by its stem, or several. */
export function bundleService(name: string, folder: string): Promise<Bundle> {
  return bundleEntry(name, serviceEntry(name), folder);
}

/** The same for one process with these functions, independent of the Services in the table. */
export function bundleChanges(name: string, stems: readonly ChangeStem[], folder: string): Promise<Bundle> {
  return bundleEntry(name, changesEntry(name, stems), folder);
}

function bundleEntry(name: string, contents: string, folder: string): Promise<Bundle> {
  return write(name, {
    stdin: { contents, resolveDir: root, sourcefile: `${name}.entry.ts`, loader: 'ts' },
    // The client of Kubernetes is only used outside a cluster.
    external: ['@kubernetes/client-node'],
    plugins: [leaveOut, childrenAlone, loadedLate, withBuiltPages],
    outfile: join(folder, 'functions', `${name}.cjs`),
  });
}

/** Knudge's own source, as `<folder>/functions/source.cjs`. It never sleeps, so it needs no code cache. */
export function bundleSource(folder: string): Promise<Bundle> {
  const contents = `
    import './resources/managed/kinds.ts';
    import { runSourceProcess } from './packages/source/process.ts';
    import { version } from './packages/start/version.ts';
    runSourceProcess({ version, ...${JSON.stringify({ watches, looksAt })} }, process.env).catch((error) => {
      console.error('source cannot start: ' + (error instanceof Error ? error.message : error));
      process.exitCode = 1;
    });`;
  return write('source', {
    stdin: { contents, resolveDir: root, sourcefile: 'source.entry.ts', loader: 'ts' },
    external: ['@kubernetes/client-node'],
    plugins: [leaveOut, childrenAlone, loadedLate],
    outfile: join(folder, 'functions', 'source.cjs'),
  });
}

/** The thread of the event log's file, as `<folder>/functions/event-log-thread.cjs`. */
export function bundleThread(folder: string): Promise<Bundle> {
  return write('event-log-thread', {
    entryPoints: ['packages/event-log/store/sqlite-thread.ts'],
    outfile: join(folder, 'functions', 'event-log-thread.cjs'),
  });
}

/** The client of PostgreSQL, as `<folder>/functions/postgres.cjs`: the event log loads it if a database is named. */
export function bundlePostgres(folder: string): Promise<Bundle> {
  return write('postgres', {
    stdin: { contents: "module.exports = require('pg');", resolveDir: root, sourcefile: 'postgres.entry.js' },
    // pg uses it only if it is installed.
    external: ['pg-native'],
    outfile: join(folder, 'functions', 'postgres.cjs'),
  });
}

/** The framework of the event log's HTTP interface, as `<folder>/functions/express.cjs`: that process loads it, which never sleeps. */
export function bundleExpress(folder: string): Promise<Bundle> {
  return write('express', {
    stdin: { contents: "module.exports = require('express');", resolveDir: root, sourcefile: 'express.entry.js' },
    outfile: join(folder, 'functions', 'express.cjs'),
  });
}

/** The pages of the console, as files in `<folder>/functions/console`, which the event log reads when somebody asks for one. */
export async function bundleConsole(folder: string): Promise<Bundle> {
  const out = join(folder, 'functions', 'console');
  const { files, metafile } = bundlePages();
  mkdirSync(out, { recursive: true });
  for (const [name, body] of files) writeFileSync(join(out, name), body);
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  return { name: 'console', file: join(out, 'app.js'), bytes, metafile };
}

/** The code that makes certificates, as `<folder>/functions/certificates.cjs`: a function loads it when one is due. */
export function bundleCertificates(folder: string): Promise<Bundle> {
  return write('certificates', {
    entryPoints: ['packages/issuing/issue.ts'],
    outfile: join(folder, 'functions', 'certificates.cjs'),
  });
}

/** The code that checks the tokens of senders, as `<folder>/functions/tokens.cjs`: a function loads it if `OIDC_ISSUER` is set. */
export function bundleTokens(folder: string): Promise<Bundle> {
  return write('tokens', {
    entryPoints: ['packages/controller/server/jose.ts'],
    outfile: join(folder, 'functions', 'tokens.cjs'),
  });
}

/** The code that finds out what a plan would change, as `<folder>/functions/plans.cjs`: a function loads it for a dry run. */
export function bundlePlans(folder: string): Promise<Bundle> {
  return write('plans', {
    stdin: {
      contents: "export * from './reconcile/try-out.ts'; export * from './cluster/trial.ts';",
      resolveDir: join(root, 'packages/controller'),
      sourcefile: 'plans.entry.ts',
      loader: 'ts',
    },
    outfile: join(folder, 'functions', 'plans.cjs'),
  });
}

/** The code that starts a function with its code cache, as `<folder>/function.cjs`. */
export function bundleLoader(folder: string): Promise<Bundle> {
  return write('function', { entryPoints: ['tools/build/loader.ts'], outfile: join(folder, 'function.cjs') });
}

/** The code that makes the code caches, as `<folder>/code-cache.cjs`: it needs nothing but this folder and Node. */
export function bundleCacheMaker(folder: string): Promise<Bundle> {
  return write('code-cache', {
    entryPoints: ['tools/build/code-cache.ts'],
    outfile: join(folder, 'code-cache.cjs'),
  });
}

async function write(name: string, options: BuildOptions & { readonly outfile: string }): Promise<Bundle> {
  const { metafile } = await build({ ...options, ...shared });
  const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  return { name, file: options.outfile, bytes, metafile };
}
