import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleAssets } from '../console/assets.ts';
import { childKindsOf } from '../controller/functions/child-kinds.ts';
import { threadAddress } from '../event-log/store/thread-address.ts';
import { controllerIn } from '../start/controller-in.ts';
import { imageEntry } from '../start/image.ts';
import { type Loading, withBuiltPages } from './built-pages.ts';
import { BuildError } from './errors.ts';
import { shapesOfChildren, standIns } from './leave-out.ts';

const threadFile = 'event-log-thread.cjs';

/** The part of esbuild that is used here. It is the project's own, so that no package of Knudge brings a program of others along. */
interface Bundler {
  build(options: object): Promise<unknown>;
}

/**
 * Bundles all functions of a project into `functions.cjs` of this folder. Beside it: `function.cjs`, which starts it with a code cache, the
 * thread of the event log, and the pages of the console. CommonJS, because an ES module that imports node:http loads a whole HTTP client with
 * it. Throws BuildError with what the bundler says against the project.
 */
export async function bundleProject(root: string, folder: string): Promise<void> {
  const entry = imageEntry(join(root, 'functions/table.ts'));
  const { build } = bundlerOf(root);
  const functions = {
    stdin: { contents: entry, resolveDir: root, sourcefile: 'function.entry.ts', loader: 'ts' },
    // A function in a cluster never calls the client of Kubernetes, and pg uses pg-native only if it is installed.
    external: ['@kubernetes/client-node', 'pg-native'],
    plugins: [apart, leftOut(childKindsOf(controllerIn(root).resources)), withBuiltPages],
    define: {
      'import.meta.url': 'importMetaUrl',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    outfile: join(folder, 'functions.cjs'),
  };
  const thread = { entryPoints: [fileURLToPath(threadAddress)], outfile: join(folder, threadFile) };
  const loader = {
    entryPoints: [fileURLToPath(new URL('cache/loader.ts', import.meta.url))],
    outfile: join(folder, 'function.cjs'),
  };
  for (const options of [functions, thread, loader]) {
    await build({ ...shared, ...options, absWorkingDir: root }).catch((error: unknown) => {
      throw new BuildError(
        `The functions cannot be bundled: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  }
  const pages = join(folder, 'console');
  mkdirSync(pages, { recursive: true });
  for (const [name, { body }] of await consoleAssets()) writeFileSync(join(pages, name), body);
}

function bundlerOf(root: string): Bundler {
  try {
    return createRequire(join(root, 'package.json'))('esbuild') as Bundler;
  } catch (error) {
    throw new BuildError(
      `${root} has no esbuild, which bundles the functions: npm install --save-dev --save-exact esbuild@${bundlerVersion}`,
      { cause: error },
    );
  }
}

/** With which this was tried. */
const bundlerVersion = '0.28.2';

const shared = {
  bundle: true,
  charset: 'ascii',
  format: 'cjs',
  legalComments: 'none',
  logLevel: 'silent',
  minify: true,
  platform: 'node',
  target: 'node24',
} as const;

/** What is not in the bundle of the functions: the thread is a file of its own. */
const apart = {
  name: 'apart',
  setup: ({ onLoad }: Loading): void => {
    onLoad({ filter: /\/store\/thread-address\.[jt]s$/ }, () => ({
      contents: `export const threadAddress = __dirname + '/${threadFile}';`,
    }));
  },
};

/** What no function needs: packages that it never calls, and the shapes of built-in kinds that it makes none of. */
const leftOut = (kinds: ReturnType<typeof childKindsOf>) => ({
  name: 'left-out',
  setup: ({ onLoad }: Loading): void => {
    for (const [name, contents] of Object.entries(standIns))
      onLoad({ filter: new RegExp(`/node_modules/${name}/.*\\.js$`) }, () => ({ contents }));
    for (const [file, contents] of Object.entries(shapesOfChildren(kinds)))
      onLoad({ filter: new RegExp(`/decide/${file}\\.[jt]s$`) }, () => ({ contents }));
  },
});
