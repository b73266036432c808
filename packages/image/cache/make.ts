import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controllerIn } from '../../start/controller-in.ts';
import { compileCache } from './compile.ts';
import { emptyApi } from './empty-api.ts';
import { firstEventsOf } from './first-events.ts';
import { freePort } from './listening.ts';

// `node make.ts <project> <bundle> <cache> <filename> <service>` writes V8's code cache of a Service of the project: of what its process
// compiles to start and to answer its first events. `filename` is where the bundle is in the image.
const [project = '', bundle = '', cache = '', filename = '', service = ''] = process.argv.slice(2);

make().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);

async function make(): Promise<void> {
  const events = firstEventsOf(controllerIn(project), service);
  const [{ url }, port] = [await emptyApi(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), 'knudge-cache-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  Object.assign(process.env, {
    PORT: String(port),
    API_SERVER_URL: url,
    LOG_LEVEL: 'silent',
    // The API has no parents, so nothing is sent to this address.
    K_SINK: 'http://127.0.0.1:9/',
    EVENT_LOG: join(folder, 'events.db'),
  });
  // What the bundle takes for its arguments.
  process.argv.splice(2, process.argv.length, service);
  writeFileSync(cache, await compileCache({ bundle, filename, port, events }));
}
