import { existsSync } from 'node:fs';
import { cacheOf, runCached } from '../../packages/image/cache/script.ts';

// In an image: `node function.cjs <stem>`, or without a stem if Knative sets K_SERVICE. Starts that function with V8's code cache,
// if there is one.
const [stem = process.env['K_SERVICE'] ?? ''] = process.argv.slice(2);
const bundle = `${__dirname}/functions/${stem}.cjs`;

if (!/^[a-z-]+$/.test(stem) || !existsSync(bundle)) {
  console.error(
    `There is no function "${stem}" beside ${__filename}: give the name of a Service or the stem of a function, or set K_SERVICE.`,
  );
  process.exitCode = 1;
} else {
  runCached(stem, bundle, cacheOf(bundle));
}
