import { existsSync, readFileSync } from 'node:fs';
import { cacheOf, run, scriptOf } from './script.ts';

// In an image: `node function.cjs <stem>`, or without one where Knative says which service this is. Starts that function with
// V8's code cache, where there is one.
const [stem = process.env['K_SERVICE'] ?? ''] = process.argv.slice(2);
const bundle = `${__dirname}/functions/${stem}.cjs`;

if (!/^[a-z-]+$/.test(stem) || !existsSync(bundle)) {
  console.error(
    `There is no function "${stem}" beside ${__filename}: give the name of a Service or the stem of a function, or set K_SERVICE.`,
  );
  process.exitCode = 1;
} else {
  const script = scriptOf(bundle, readCache(cacheOf(bundle)));
  // Another version of Node, or another text: V8 compiles as if there were none.
  if (script.cachedDataRejected) console.error(`The code cache of ${stem} is not for this Node.js: it starts slower.`);
  run(script, bundle);
}

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
