// Records test/fixtures/events anew, on the cluster of KNUDGE_TEST_KNATIVE (npm run cluster -- up --node --knative).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { site } from '../site.ts';
import { masked } from './masked.ts';
import { type Recording, recordEvents } from './recordings.ts';

const cluster = process.env['KNUDGE_TEST_KNATIVE'];
if (cluster === undefined) {
  console.error('KNUDGE_TEST_KNATIVE has to name the folder of a cluster: npm run cluster -- up --node --knative');
  process.exitCode = 2;
} else {
  process.env['KNUDGE_TEST_KUBECONFIG'] = join(cluster, 'kubeconfig');
  process.env['KNUDGE_TEST_NODE'] = cluster;
  for (const [name, recording] of await recordEvents(site())) write(name, recording);
}

/** Writes one where it says something else than the one that is there. */
function write(name: string, recording: Recording): void {
  const path = `test/fixtures/events/${name}.json`;
  const isNew = !isDeepStrictEqual(masked(recording), before(path));
  if (isNew) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(recording, null, 1)}\n`);
  }
  console.log(`${isNew ? 'written  ' : 'as it was'} ${path}`);
}

function before(path: string): unknown {
  try {
    return masked(JSON.parse(readFileSync(path, 'utf8')) as Recording);
  } catch {
    return undefined;
  }
}
