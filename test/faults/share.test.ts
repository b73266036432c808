import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { partOf } from './share.ts';

const shown =
  "import('./test/faults/share.ts').then(({ faultShare }) => console.log(faultShare.of([1, 2, 3, 4, 5]).join()))";

function sharedBy(FAULT_SHARE: string) {
  return spawnSync(process.execPath, ['--eval', shown], { encoding: 'utf8', env: { ...process.env, FAULT_SHARE } });
}

describe('a share of the faults', () => {
  it('has with the others each of them once', () => {
    const all = Array.from({ length: 20 }, (_, index) => index);
    const shares = [0, 1, 2].map((part) => partOf(all, part, 3));
    assert.deepEqual(
      shares.flat().toSorted((one, other) => one - other),
      all,
    );
  });

  it('is that of the variable', () => {
    assert.equal(sharedBy('2/3').stdout, '2,5\n');
  });

  for (const wrong of ['7/6', '0/6', '1/0', '1.5/6', 'first', '/'])
    it(`is never empty by mistake: "${wrong}" is refused`, () => {
      const { status, stderr } = sharedBy(wrong);
      assert.equal(status, 1);
      assert.match(stderr, /FAULT_SHARE must be two whole numbers, such as 1\/4/);
    });
});
