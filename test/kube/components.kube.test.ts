import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { kubectlFor } from '../../tools/knative/kubectl.ts';
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
const apply = kubectlFor(testKubeconfig());

before(async () => {
  await putCrdsOfOthers(apiFrom(testKubeconfig()));
  await kubectl('apply', '--filename', 'deploy/base/namespace.yaml');
});
after(async () => {
  server.remove();
  await removeCrdsOfOthers();
});

/** Each object that any of them holds, as JSON: most are in several of them. */
const held = new Set<string>();

for (const [overlay, ...components] of combinations) {
  // An FRP server goes with all of them.
  it(`the overlay ${overlay} with ${components.join(', ')} holds what each of them promises`, async () => {
    const parts = {
      resources: [`deploy/overlays/${overlay}`, 'deploy/frps'],
      components: components.map((name) => `deploy/components/${name}`),
    };
    const objects = (await withKustomization(parts, kustomized)) as readonly Rendered[];
    for (const name of [overlay, ...components]) promises[name]?.(objects);
    const typed = objects as unknown as Parameters<typeof typeFault>[0][];
    assert.deepEqual(
      typed.map(typeFault).filter((fault) => fault !== undefined),
      [],
    );
    for (const object of objects) held.add(JSON.stringify(object));
  });
}

it('each object of each of them is taken by the API server', { timeout: 180_000 }, async () => {
  const items = [...held].map((object) => JSON.parse(object) as object);
  assert.ok(items.length > 100, String(items.length));
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const taken = await apply(['apply', '--dry-run=server', '--filename', '-'], list);
  assert.equal(taken.match(/\(server dry run\)$/gm)?.length, items.length);
});
