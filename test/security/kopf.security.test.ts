import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { object } from '../build/objects.ts';
import { apiFrom } from '../kube/api.ts';
import { put } from '../kube/install.ts';
import { until } from '../kube/until.ts';
import { startProcess } from '../mesh/running-mesh.ts';

const here = join(import.meta.dirname, 'kopf');

/** Installs kopf under its checksums into a folder that goes with the test; gives the folder. */
async function installKopf(context: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-kopf-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const only = ['--require-hashes', '--only-binary=:all:', '--no-deps'];
  const args = ['-m', 'pip', 'install', '--quiet', ...only, '--target', folder, '-r', join(here, 'requirements.txt')];
  await promisify(execFile)('python3', args, { timeout: 200_000 });
  return folder;
}

test('kopf works with the embedded API by the token of its kubeconfig: it watches, and what it changes is there', async (context) => {
  const installed = await installKopf(context).catch((error: unknown) => String(error));
  if (installed.startsWith('Error')) {
    context.skip(`pip gives no kopf: ${installed.slice(0, 300)}`);
    return;
  }
  const mesh = await startProcess();
  context.after(() => mesh.remove());
  const args = ['-m', 'kopf', 'run', '--standalone', '--namespace', 'default', join(here, 'operator.py')];
  // Python would write what it compiled beside the operator, into the clone.
  const env = {
    PATH: process.env['PATH'],
    PYTHONPATH: installed,
    PYTHONDONTWRITEBYTECODE: '1',
    KUBECONFIG: mesh.state.kubeconfig,
  };
  const operator = spawn('python3', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  context.after(() => operator.kill('SIGKILL'));
  let said = '';
  for (const stream of [operator.stdout, operator.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  const api = apiFrom(mesh.state.kubeconfig);
  const labels = { 'example.com/greet': 'yes' };
  await put(api, object('ConfigMap', 'hello', { metadata: { namespace: 'default', labels } }));
  await until(
    'kopf has greeted it',
    async () => {
      const { body } = await api('GET', '/api/v1/namespaces/default/configmaps/hello');
      return (body as KubeObject).metadata.annotations?.['example.com/greeted'] === 'hello' || said.slice(-500);
    },
    90,
  );
  assert.match(said, /login_with_kubeconfig' succeeded/);
});
