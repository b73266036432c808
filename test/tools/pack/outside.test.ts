import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { packages } from '../../../tools/pack/packages.ts';
import { makeTarballs } from '../../../tools/pack/tarballs.ts';
import { root } from '../../house/files.ts';
import { startProject } from './stranger.ts';
import { strangerCode } from './stranger-code.ts';

/** The tarball that has the other packages in it. */
const isAlone = /^knudge-\d/;

describe('a project outside of this repository, on the packed packages', () => {
  const out = mkdtempSync(join(tmpdir(), 'knudge-packed-'));
  const tarballs = makeTarballs({ root, wanted: packages, out })
    .filter((name) => !isAlone.test(name))
    .map((name) => join(out, name));
  const project = startProject(tarballs, strangerCode);
  after(() => {
    project.remove();
    rmSync(out, { recursive: true });
  });

  it('has the types of all that it imports', () => {
    const { status, stdout } = project.check();
    assert.deepEqual([stdout, status], ['', 0]);
  });

  const printed = {
    'faults.ts': 'true []\n',
    'cluster.ts': '200\n',
    'console.ts': 'app.css app.js icon.svg index.html\n',
    'events.ts': "{ person: 'Ada' }\nfunction 1\n",
  };
  for (const [file, lines] of Object.entries(printed)) {
    it(`runs ${file}`, () => {
      const { status, stdout, stderr } = project.run(file);
      assert.deepEqual([stdout, stderr, status], [lines, '', 0]);
    });
  }

  it('gets the same bytes from the same sources', () => {
    const again = mkdtempSync(join(tmpdir(), 'knudge-packed-'));
    const one = packages.filter(({ name }) => name === 'source');
    const [name = ''] = makeTarballs({ root, wanted: one, out: again });
    const sumOf = (folder: string) =>
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex');
    assert.equal(sumOf(again), sumOf(out));
    rmSync(again, { recursive: true });
  });
});
