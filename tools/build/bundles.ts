import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { type FunctionRow, functions, type Stem } from '../../functions/table.ts';
import type * as Main from '../../src/main.ts';
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
export const certificatesApart: Plugin = {
  name: 'certificates-apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/issue\.ts$/ }, ({ kind }) => {
      return kind === 'dynamic-import' ? { path: './certificates.cjs', external: true } : undefined;
    });
  },
};

/** One function with all it needs, as `<folder>/functions/<stem>.cjs`. */
export function bundleFunction(stem: Stem, folder: string): Promise<Bundle> {
  return write(stem, {
    stdin: { contents: entryOf(stem), resolveDir: root, sourcefile: `${stem}.entry.ts`, loader: 'ts' },
    // Only outside a cluster is the client of Kubernetes ever asked for.
    external: ['@kubernetes/client-node'],
    plugins: [leaveOut, certificatesApart],
    outfile: join(folder, 'functions', `${stem}.cjs`),
  });
}

/** What makes certificates, as `<folder>/functions/certificates.cjs`: a function loads it when one is due. */
export function bundleCertificates(folder: string): Promise<Bundle> {
  return write('certificates', {
    entryPoints: ['src/certificates/issue.ts'],
    outfile: join(folder, 'functions', 'certificates.cjs'),
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
  change: 'runChangeFunction',
  event: 'runEventFunction',
  question: 'runQuestionFunction',
} as const satisfies Record<FunctionRow['wakes'], keyof typeof Main>;

/**
 * The entry of one function: its row of the table as text, so that no other function comes along. What is a function in
 * the row is imported from the file that has the name of the stem.
 */
function entryOf(stem: Stem): string {
  const row: FunctionRow = functions[stem];
  const fields = Object.entries(row).map(([field, value]) => {
    return `${field}: ${typeof value === 'function' ? `own.${value.name}` : JSON.stringify(value)}`;
  });
  return `
    import * as own from './functions/${stem}.ts';
    import { ${runners[row.wakes]} as run } from './src/main.ts';
    run({ stem: '${stem}', ${fields.join(', ')} }, process.env).catch((error) => {
      console.error('${stem} cannot start: ' + (error instanceof Error ? error.message : error));
      process.exitCode = 1;
    });`;
}
