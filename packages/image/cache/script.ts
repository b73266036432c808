import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';

/** The path of a bundle's code cache. */
export function cacheOf(bundle: string): string {
  return bundle.replace(/\.cjs$/, '.cache');
}

/**
 * A bundle as a script; the text must be the same when the cache is made and when it is used. `filename` is where the bundle will be, if it
 * is not there yet: a cache that names a temporary folder would be another one with each build.
 */
export function scriptOf(bundle: string, cachedData: Buffer | undefined, filename = bundle): Script {
  // Bundles are ASCII, and this is the quickest way to a string of one byte a character.
  const source = readFileSync(bundle, 'latin1');
  return new Script(`(function(require,module,exports,__filename,__dirname){${source}\n})`, {
    filename,
    ...(cachedData !== undefined && { cachedData }),
  });
}

/** Runs it as Node would; `require` may be replaced. */
export function run(script: Script, bundle: string, require: NodeJS.Require = createRequire(bundle)): void {
  const module = { exports: {} };
  const folder = bundle.slice(0, bundle.lastIndexOf('/'));
  script.runInThisContext()(require, module, module.exports, bundle, folder);
}

/** Runs a bundle with a code cache, if there is one; `name` is that of the function, for a complaint of a cache that V8 does not take. */
export function runCached(name: string, bundle: string, cache: string): void {
  const script = scriptOf(bundle, contentOf(cache));
  // The cache is of another version of Node or of another text: V8 compiles as it does without a cache.
  if (script.cachedDataRejected) console.error(`The code cache of ${name} is not for this Node.js: it starts slower.`);
  run(script, bundle);
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
