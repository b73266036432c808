import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';

/** Where the code cache of a bundle lies. */
export function cacheOf(bundle: string): string {
  return bundle.replace(/\.cjs$/, '.cache');
}

/** A bundle as a script; the text must be the same where the cache is made and where it is used. */
export function scriptOf(bundle: string, cachedData: Buffer | undefined): Script {
  // Bundles are ASCII, and this is the quickest way to a string of one byte a character.
  const source = readFileSync(bundle, 'latin1');
  return new Script(`(function(require,module,exports,__filename,__dirname){${source}\n})`, {
    filename: bundle,
    ...(cachedData !== undefined && { cachedData }),
  });
}

/** Runs it as Node would; `require` may be another one. */
export function run(script: Script, bundle: string, require: NodeJS.Require = createRequire(bundle)): void {
  const module = { exports: {} };
  const folder = bundle.slice(0, bundle.lastIndexOf('/'));
  script.runInThisContext()(require, module, module.exports, bundle, folder);
}
