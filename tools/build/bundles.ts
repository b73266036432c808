import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { itselfChanged } from '../../functions/itself-changed.ts';
import type { FunctionRow } from '../../functions/rows.ts';
import type * as Main from '../../functions/start/main.ts';
import { type ChangeStem, functions, looksAt, type Stem, services } from '../../functions/table.ts';
import { watches } from '../../functions/watches.ts';
import { leaveOut } from './leave-out.ts';

const root = join(import.meta.dirname, '../..');

/** One file that esbuild made, with what is inside. */
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
  // `import()` becomes a `require` when it runs: the loader of ES modules would be one more thing to wake.
  supported: { 'dynamic-import': false },
} as const satisfies BuildOptions;

/** A file in CommonJS cannot be split, so what is loaded late is a file of its own. */
export const loadedLate: Plugin = {
  name: 'loaded-late',
  setup: ({ onResolve, onLoad }) => {
    const apart = (filter: RegExp, path: string): void =>
      onResolve({ filter }, ({ kind }) => (kind === 'dynamic-import' ? { path, external: true } : undefined));
    apart(/\/issue\.ts$/, './certificates.cjs');
    apart(/\/jose\.ts$/, './tokens.cjs');
    apart(/^pg$/, './postgres.cjs');
    onLoad({ filter: /\/store\/thread-address\.ts$/ }, () => ({
      contents: "export const threadAddress = __dirname + '/event-log-thread.cjs';",
    }));
  },
};

/** One Knative Service with all it needs, as `<folder>/functions/<name>.cjs`: a function by its stem, or several in one. */
export function bundleService(name: string, folder: string): Promise<Bundle> {
  return bundleEntry(name, startOf(name), folder);
}

/** The same for one process of these functions, whatever Services there are. */
export function bundleChanges(name: string, stems: readonly ChangeStem[], folder: string): Promise<Bundle> {
  return bundleEntry(name, startOfAll(name, stems, runners.change), folder);
}

function bundleEntry(name: string, start: Start, folder: string): Promise<Bundle> {
  return write(name, {
    stdin: { contents: entryOf(name, start), resolveDir: root, sourcefile: `${name}.entry.ts`, loader: 'ts' },
    // Only outside a cluster is the client of Kubernetes ever asked for.
    external: ['@kubernetes/client-node'],
    plugins: [leaveOut, loadedLate],
    outfile: join(folder, 'functions', `${name}.cjs`),
  });
}

/** Knudge's own source, as `<folder>/functions/source.cjs`. It never sleeps, so it needs no code cache. */
export function bundleSource(folder: string): Promise<Bundle> {
  const contents = `
    import { runSourceProcess } from './packages/source/process.ts';
    import { version } from './packages/controller/version.ts';
    runSourceProcess({ version, ...${JSON.stringify({ watches, looksAt })} }, process.env).catch((error) => {
      console.error('source cannot start: ' + (error instanceof Error ? error.message : error));
      process.exitCode = 1;
    });`;
  return write('source', {
    stdin: { contents, resolveDir: root, sourcefile: 'source.entry.ts', loader: 'ts' },
    external: ['@kubernetes/client-node'],
    plugins: [leaveOut, loadedLate],
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

/** The client of PostgreSQL, as `<folder>/functions/postgres.cjs`: the event log loads it where a database is named. */
export function bundlePostgres(folder: string): Promise<Bundle> {
  return write('postgres', {
    stdin: { contents: "module.exports = require('pg');", resolveDir: root, sourcefile: 'postgres.entry.js' },
    // It asks for it where there is a C library, and does without.
    external: ['pg-native'],
    outfile: join(folder, 'functions', 'postgres.cjs'),
  });
}

/** What makes certificates, as `<folder>/functions/certificates.cjs`: a function loads it when one is due. */
export function bundleCertificates(folder: string): Promise<Bundle> {
  return write('certificates', {
    entryPoints: ['resources/distributed-service/issuing/issue.ts'],
    outfile: join(folder, 'functions', 'certificates.cjs'),
  });
}

/** What checks the tokens of senders, as `<folder>/functions/tokens.cjs`: a function loads it where `OIDC_ISSUER` is set. */
export function bundleTokens(folder: string): Promise<Bundle> {
  return write('tokens', {
    entryPoints: ['packages/controller/server/jose.ts'],
    outfile: join(folder, 'functions', 'tokens.cjs'),
  });
}

/** What starts a function with its code cache, as `<folder>/function.cjs`. */
export function bundleLoader(folder: string): Promise<Bundle> {
  return write('function', { entryPoints: ['tools/build/loader.ts'], outfile: join(folder, 'function.cjs') });
}

/** What makes the code caches, as `<folder>/code-cache.cjs`: it needs nothing but this folder and Node. */
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

/** Who runs a row: each bundle names one, so that nothing of the other comes along. */
const runners = {
  change: 'runChangeFunctions',
  event: 'runEventFunction',
  question: 'runQuestionFunction',
} as const satisfies Record<FunctionRow['wakes'], keyof typeof Main>;

/** The entry of one process: rows of the table as text, so that no other function comes along. */
function entryOf(name: string, [runner, stems, given]: Start): string {
  return `
    ${stems.map((stem, index) => `import * as own${index} from './functions/${fileOf(stem)}.ts';`).join('\n')}
    import { ${runner} as run } from './functions/start/main.ts';
    run(${given}, process.env).catch((error) => {
      console.error('${name} cannot start: ' + (error instanceof Error ? error.message : error));
      process.exitCode = 1;
    });`;
}

/** Who runs it, the stems that it serves, and what it is run with. */
type Start = readonly [runner: keyof typeof Main, stems: readonly Stem[], given: string];

function startOf(name: string): Start {
  if (Object.hasOwn(services, name)) {
    const stems: readonly Stem[] = services[name as keyof typeof services];
    const runner = stems.every((stem) => functions[stem].wakes === 'change') ? runners.change : 'runLogFunctions';
    return startOfAll(name, stems, runner);
  }
  const row: FunctionRow = functions[name as Stem];
  const own = rowOf(name as Stem, 0);
  return [runners[row.wakes], [name as Stem], row.wakes === 'change' ? `'${name}', [${own}]` : own];
}

function startOfAll(name: string, stems: readonly Stem[], runner: keyof typeof Main): Start {
  return [runner, stems, `'${name}', [${stems.map(rowOf).join(', ')}]`];
}

/** The file below functions/ that has the handler of a stem: its own, or that of all resources without one. */
function fileOf(stem: Stem): string {
  const { handle }: Pick<FunctionRow, 'handle'> = functions[stem];
  return handle === itselfChanged ? 'itself-changed' : stem;
}

/** A row as text. What is a function in it is imported from the file that has it. */
function rowOf(stem: Stem, index: number): string {
  const fields = Object.entries(functions[stem]).map(([field, value]) => {
    return `${field}: ${typeof value === 'function' ? `own${index}.${value.name}` : JSON.stringify(value)}`;
  });
  return `{ stem: '${stem}', ${fields.join(', ')} }`;
}
