import { runCached } from './script.ts';

// In the image of a project: `node function.cjs <service>`, or without a name if Knative sets K_SERVICE. Starts the one bundle of all
// functions with V8's code cache of that Service, if there is one.
const [name = process.env['K_SERVICE'] ?? ''] = process.argv.slice(2);
runCached(name, `${__dirname}/functions.cjs`, `${__dirname}/caches/${name}.cache`);
