import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { createVolume } from './volume.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-volume-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const skip = process.getuid?.() !== 0 && 'only root may give files to another group';

it('a volume changes as a whole, by the rename of one link, as the kubelet does it', { skip }, () => {
  const volume = createVolume(folder, 65532);
  const file = (text: string) => ({ content: Buffer.from(text), mode: 0o440 });
  const before = new Map([
    ['a', file('1')],
    ['gone', file('x')],
  ]);
  assert.equal(volume.write(before), true);
  const first = readlinkSync(join(folder, '..data'));
  assert.equal(readlinkSync(join(folder, 'a')), '..data/a');
  assert.equal(readFileSync(join(folder, 'a'), 'utf8'), '1');
  const { mode, gid } = statSync(join(folder, 'a'));
  assert.deepEqual([mode & 0o777, gid], [0o440, 65532]);
  assert.equal(volume.write(before), false);
  assert.equal(readlinkSync(join(folder, '..data')), first);
  assert.equal(
    volume.write(
      new Map([
        ['a', file('2')],
        ['b', file('3')],
      ]),
    ),
    true,
  );
  const second = readlinkSync(join(folder, '..data'));
  assert.notEqual(second, first);
  assert.deepEqual(readdirSync(folder).sort(), [second, '..data', 'a', 'b'].sort());
  assert.equal(readFileSync(join(folder, 'b'), 'utf8'), '3');
});
