import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';

const folder = new URL('../../cluster/', import.meta.url);
const run = promisify(execFile);

/** Prints every package file that was loaded after the script ran. */
function script(body: string): string {
  return `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createCluster } = await import('${folder.href}cluster.ts');
    const { inCluster } = await import('${folder.href}in-cluster.ts');
    ${body}
    console.log(JSON.stringify(loaded.filter((url) => url.includes('/node_modules/'))));
  `;
}

async function packagesLoadedBy(body: string): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script(body)], { timeout: 30_000 });
  const urls: unknown = JSON.parse(stdout);
  return Array.isArray(urls) ? urls.map(String) : [];
}

test('in a cluster no package is loaded, least of all the Kubernetes client', async () => {
  const loaded = await packagesLoadedBy(`
    const access = inCluster({ host: '127.0.0.1', port: '1', mount: '/nonexistent' });
    const cluster = createCluster({ access, version: '1', instance: 'x', onLostNotice: () => {} });
    const ref = { apiVersion: 'v1', kind: 'Pod', namespace: 'a', name: 'b' };
    await cluster.get(ref).catch((error) => { if (error.code !== 'unauthorized') throw error; });
  `);
  assert.deepEqual(loaded, []);
});

test('outside a cluster the client is loaded, so the test above can tell', async () => {
  const loaded = await packagesLoadedBy(`
    const { outsideCluster } = await import('${folder.href}outside.ts');
    await outsideCluster({ kubeconfig: '/nonexistent' }).catch((error) => { if (error.code !== 'misuse') throw error; });
  `);
  assert.ok(loaded.some((url) => url.includes('/@kubernetes/client-node/')));
});

test('only what is outside of a cluster names the client at run time', () => {
  const naming = readdirSync(folder).filter((file) => {
    const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
    return lines.some((line) => line.includes('@kubernetes/client-node') && !line.startsWith('import type'));
  });
  assert.deepEqual(naming.sort(), ['outside.ts']);
});
