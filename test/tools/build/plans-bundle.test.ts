import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import type { Plan } from '../../../packages/controller/domain/plan.ts';
import type { Trial } from '../../../packages/controller/domain/ports.ts';
import { bundlePlans, bundleService } from '../../../tools/build/bundles.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-plans-'));
after(() => rmSync(folder, { recursive: true }));

test('what a plan would change is found out in a file of its own, which is brought the shapes of kinds', async () => {
  const [bundle, plans] = await Promise.all([bundleService('message-changed', folder), bundlePlans(folder)]);
  const asked = Object.values(bundle.metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  assert.ok(asked.includes('./plans.cjs'));
  assert.ok(plans.bytes < 25_000, `${plans.bytes} bytes`);
  const { tryOut } = createRequire(bundle.file)(
    plans.file,
  ) as typeof import('../../../packages/controller/reconcile/try-out.ts');
  const metadata = { name: 'a', uid: 'u', resourceVersion: '1' };
  const owner = { apiVersion: 'v1', kind: 'Thing', metadata };
  const thing = (...names: readonly string[]) => ({ ...owner, spec: { parts: names.map((name) => ({ name })) } });
  const apply = { do: 'apply', object: thing('mine'), live: thing('theirs') } as const;
  const plan: Plan = { writes: [apply], notices: [], again: false };
  const seen = { owner, children: new Map(), inputs: new Map() };
  const keyed = () => ({ of: { spec: { of: { parts: { keys: ['name'] } } } } });
  const partsBy = async (shapeOf: Parameters<typeof tryOut>[2]['shapeOf']) =>
    (await tryOut(plan, seen, { shapeOf, trial: undefined }))[0]?.after as ReturnType<typeof thing>;
  assert.deepEqual((await partsBy(keyed)).spec, thing('theirs', 'mine').spec);
  assert.deepEqual((await partsBy(() => ({}))).spec, thing('mine').spec);

  // An error of the bundle beside it is of another copy of its class.
  const trial = { patch: () => Promise.reject(new KnudgeError('admission-denied', 'nobody may')) } as unknown as Trial;
  const [refused] = await tryOut(plan, seen, { shapeOf: keyed, trial });
  assert.equal(refused?.refusal, 'nobody may');
});
