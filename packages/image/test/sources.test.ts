import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { succeeds } from '../debian/commands.ts';
import { sources } from '../debian/sources.ts';

const noApt = succeeds('which', 'apt-get') ? false : 'there is no apt-get here';

it("asks this machine's mirrors of Debian 12, though apt-get update has never run, and then Debian's snapshots", {
  skip: noApt,
}, (test) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-sources-'));
  test.after(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, 'lists/partial'), { recursive: true });
  const listed = ['debian bookworm', 'debian bookworm-updates', 'debian-security bookworm-security', 'debian trixie'];
  const lines = listed.map((one) => `deb http://mirror.example/${one} main\n`);
  writeFileSync(join(dir, 'sources.list'), lines.join(''));
  const settings = {
    'Dir::State::lists': join(dir, 'lists'),
    'Dir::Etc::sourcelist': join(dir, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
  };
  writeFileSync(
    join(dir, 'apt.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  );
  process.env['APT_CONFIG'] = join(dir, 'apt.conf');
  test.after(() => delete process.env['APT_CONFIG']);
  const [mirrors, snapshots] = sources();
  assert.deepEqual(mirrors, [
    'deb [trusted=yes] http://mirror.example/debian bookworm main',
    'deb [trusted=yes] http://mirror.example/debian-security bookworm-security main',
  ]);
  assert.match(snapshots?.join(' ') ?? '', /^deb \[trusted=yes\] http:\/\/snapshot\.debian\.org\/archive\/debian\//);
});
