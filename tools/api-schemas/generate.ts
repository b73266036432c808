import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '../control-plane/cluster-api.ts';
import { definitionsOf } from './definitions-of.ts';

const file = join(import.meta.dirname, '../../packages/kube-api/builtin/openapi.json');
const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const [kubeconfig] = positionals;
if (kubeconfig === undefined) {
  const cluster = await startCluster({ dir: '.knudge/api-schemas' });
  await write(cluster.kubeconfig);
  await cluster.stop();
} else {
  await write(kubeconfig);
}

async function write(from: string): Promise<void> {
  const wanted = await definitionsOf(from);
  const present = await readFile(file, 'utf8').catch(() => '');
  if (wanted === present) return;
  if (values.check) {
    process.stderr.write('openapi.json is not what the API server publishes: run node tools/api-schemas/generate.ts\n');
    process.exitCode = 1;
    return;
  }
  await writeFile(file, wanted);
  process.stdout.write(`${file} written\n`);
}
