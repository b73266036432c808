import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { processNames, type Stem, stemsOf } from '../../../functions/table.ts';
import { bundleService, bundleSource } from '../../../tools/build/bundles.ts';
import { fileOf } from '../../../tools/build/entry.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-every-process-'));
after(() => rmSync(folder, { recursive: true }));

test('the source knows the kinds of crds/', async () => {
  const { metafile } = await bundleSource(folder);
  const own = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  assert.ok(own.includes('resources/managed/kinds.ts'));
});

for (const name of processNames) {
  test(`${name} can be bundled, with a handler for each of its stems`, async () => {
    const { metafile } = await bundleService(name, folder);
    const own = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
    const served = stemsOf(name);
    // Else it could not address a custom resource: the gate would let nobody in.
    assert.ok(own.includes('resources/managed/kinds.ts'), `${name} does not know the kinds of crds/`);
    const stems = served.length > 0 ? served : [name as Stem];
    for (const stem of stems) {
      assert.ok(own.includes(`${fileOf(stem)}.ts`), `${name} holds no ${fileOf(stem)}.ts`);
    }
  });
}
