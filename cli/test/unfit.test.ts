import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root, textOf } from '../../test/house/files.ts';

type Unfit = (version: string, isInstalled: boolean) => string | undefined;

const { unfit } = (await import(pathToFileURL(join(root, 'cli/unfit.js')).href)) as { readonly unfit: Unfit };

describe('the command line, where it cannot run', () => {
  for (const version of ['18.20.8', '20.20.2', '22.18.9', '25.0.0']) {
    it(`says that Node ${version} is not one of those that it needs`, () => {
      assert.match(
        unfit(version, true) ?? '',
        new RegExp(`^Node 22\\.19 to 24 is needed here, and this is ${version}: `),
      );
    });
  }

  for (const version of ['22.19.0', '23.0.0', '24.21.0']) {
    it(`says nothing against Node ${version}`, () => assert.equal(unfit(version, true), undefined));
  }

  it('needs the versions that its package.json names', () => {
    const { engines } = JSON.parse(textOf('cli/package.json')) as { readonly engines: { readonly node: string } };
    assert.equal(engines.node, '>=22.19 <25');
  });

  it('says before npm ci that it has to run, in one line and with exit code 2', () => {
    const folder = mkdtempSync(join(tmpdir(), 'knudge-unfit-'));
    for (const file of ['knudge.js', 'unfit.js']) copyFileSync(join(root, 'cli', file), join(folder, file));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'knudge.js'), 'dev'], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    assert.deepEqual([status, stderr], [2, 'The packages that Knudge needs are not installed: run npm ci first.\n']);
  });
});
