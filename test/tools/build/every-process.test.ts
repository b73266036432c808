import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { functions, processNames, type Stem, stemsOf } from '../../../functions/table.ts';
import { bundleService } from '../../../tools/build/bundles.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-every-process-'));
after(() => rmSync(folder, { recursive: true }));

for (const name of processNames) {
  test(`${name} can be bundled, with a handler for each of its stems`, async () => {
    const { metafile } = await bundleService(name, folder);
    const own = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
    const served = stemsOf(name);
    const stems = served.length > 0 ? served : [name as Stem];
    for (const stem of stems) {
      const file = functions[stem].handle.name === 'itselfChanged' ? 'itself-changed' : stem;
      assert.ok(own.includes(`functions/${file}.ts`), `${name} holds no functions/${file}.ts`);
    }
  });
}
