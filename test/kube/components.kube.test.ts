import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { typeFault } from '../house/knative-types.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { promises, type Rendered } from './component-promises.ts';
import { putCrdsOfOthers, removeCrdsOfOthers } from './crds-of-others.ts';
import { frpServer } from './frp-server.ts';
import { kubectl } from './kubectl.ts';
import { kustomized, withKustomization } from './kustomized.ts';

/** The one that a kustomization has as its resource, then its components, in their order. */
const combinations: readonly (readonly [overlay: string, ...components: readonly string[]])[] = [
  ['secure', 'kafka'],
  ['secure', 'postgres'],
  ['secure', 'single-namespace'],
  ['secure', 'prometheus'],
  ['prometheus', 'postgres'],
  ['prometheus', 'single-namespace'],
  ['kafka', 'single-namespace'],
  ['postgres', 'kafka'],
  ['secure', 'prometheus', 'postgres', 'kafka', 'single-namespace'],
  ['per-function', 'prometheus', 'postgres', 'kafka', 'single-namespace'],
  ['secure', 'per-function', 'per-function-secure', 'single-namespace'],
  ['per-function', 'deliveries', 'kafka', 'single-namespace'],
  ['secure', 'source', 'deliveries', 'kafka'],
  ['source', 'source-standby'],
  ['secure', 'source', 'source-standby', 'prometheus', 'postgres', 'kafka', 'single-namespace'],
];

const server = frpServer();

before(async () => {
  await putCrdsOfOthers(apiFrom(testKubeconfig()));
  await kubectl('apply', '--filename', 'deploy/base/namespace.yaml');
});
after(async () => {
  server.remove();
  await removeCrdsOfOthers();
});

for (const [overlay, ...components] of combinations) {
  describe(`the overlay ${overlay} with ${components.join(', ')}`, () => {
    const parts = {
      resources: [`deploy/overlays/${overlay}`, 'deploy/frps'],
      components: components.map((name) => `deploy/components/${name}`),
    };

    // An FRP server goes with all of them.
    it('holds what each of them promises', async () => {
      const objects = (await withKustomization(parts, kustomized)) as readonly Rendered[];
      for (const name of [overlay, ...components]) promises[name]?.(objects);
      const typed = objects as unknown as Parameters<typeof typeFault>[0][];
      assert.deepEqual(
        typed.map(typeFault).filter((fault) => fault !== undefined),
        [],
      );
    });

    it('is taken by the API server', { timeout: 120_000 }, async () => {
      const { stdout } = await withKustomization(parts, (folder) =>
        kubectl('apply', '--kustomize', folder, '--dry-run=server'),
      );
      assert.match(stdout, /\(server dry run\)/);
    });
  });
}
