import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bundlePlans, bundleService } from '../../../tools/build/bundles.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-plans-'));
after(() => rmSync(folder, { recursive: true }));

test('what a plan would change is worked out in a file of its own, which is brought the shapes of kinds', async () => {
  const [bundle, plans] = await Promise.all([bundleService('message-changed', folder), bundlePlans(folder)]);
  const asked = Object.values(bundle.metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  assert.ok(asked.includes('./plans.cjs'));
  assert.ok(plans.bytes < 20_000, `${plans.bytes} bytes`);
  const { foresee } = createRequire(bundle.file)(
    plans.file,
  ) as typeof import('../../../packages/controller/decide/foresee.ts');
  const owner = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } };
  const thing = (...names: readonly string[]) => ({ ...owner, spec: { parts: names.map((name) => ({ name })) } });
  const apply = { do: 'apply', object: thing('mine'), live: thing('theirs') } as const;
  const plan = { writes: [apply] } as unknown as Parameters<typeof foresee>[0];
  const seen = { owner, children: new Map(), inputs: new Map() };
  const keyed = () => ({ of: { spec: { of: { parts: { keys: ['name'] } } } } });
  const partsBy = (shapeOf: Parameters<typeof foresee>[2]) => foresee(plan, seen, shapeOf)[0]?.after;
  assert.deepEqual((partsBy(keyed) as ReturnType<typeof thing>).spec, thing('theirs', 'mine').spec);
  assert.deepEqual((partsBy(() => ({})) as ReturnType<typeof thing>).spec, thing('mine').spec);
});
