import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { imageNameIn } from '../image.ts';

describe('the image of a project', () => {
  const nameOf = (manifest: object) => {
    const folder = mkdtempSync(join(tmpdir(), 'knudge-name-'));
    try {
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
      return imageNameIn(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('is called as package.json says', () => {
    assert.deepEqual(nameOf({ name: 'demo', version: '1.2.3' }), { repository: 'demo', version: '1.2.3' });
  });

  it('has a name and a tag that a registry takes', () => {
    assert.deepEqual(nameOf({ name: '@shop/demo', version: '1.0.0+7' }), {
      repository: 'shop/demo',
      version: '1.0.0-7',
    });
  });

  for (const manifest of [{ name: 'demo' }, { version: '1.2.3' }]) {
    it(`is not to be had of ${JSON.stringify(manifest)}`, () => {
      assert.throws(() => nameOf(manifest), { code: 'misuse', message: /lacks a name or a version/ });
    });
  }
});
