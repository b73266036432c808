import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ClusterError } from '../../../tools/control-plane/errors.ts';
import { installMissing } from '../../../tools/debian/install.ts';

/** A program in apt-get's place that keeps what it was asked, a line each time, and then does this. */
function aptGet(
  context: TestContext,
  then: string,
): { readonly folder: string; readonly asked: () => readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-debian-'));
  const before = process.env['PATH'];
  const lines = join(folder, 'asked');
  writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$*" >>'${lines}'\ncd '${folder}'\n${then}\n`, {
    mode: 0o755,
  });
  process.env['PATH'] = [folder, before].join(delimiter);
  context.after(() => {
    process.env['PATH'] = before;
    rmSync(folder, { recursive: true });
  });
  return { folder, asked: () => (existsSync(lines) ? readFileSync(lines, 'utf8').trimEnd().split('\n') : []) };
}

const silent = (): void => undefined;

test('where another apt-get is at work it is waited for, at each step', async (context) => {
  const { folder, asked } = aptGet(context, 'touch installed');
  await installMissing('This test', { bread: () => existsSync(join(folder, 'installed')), salt: () => true }, silent);
  assert.deepEqual(asked(), [
    '-o DPkg::Lock::Timeout=120 update',
    '-o DPkg::Lock::Timeout=120 install --yes --no-remove --no-install-recommends bread',
  ]);
});

test('where nothing is missing nobody is asked', async (context) => {
  const { asked } = aptGet(context, 'exit 1');
  await installMissing('This test', { salt: () => true }, silent);
  assert.deepEqual(asked(), []);
});

test('one that works for longer is told in a sentence, with what to do', async (context) => {
  const held = 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 11660 (apt-get)';
  aptGet(context, `echo '${held}' >&2; exit 100`);
  await assert.rejects(installMissing('This test', { bread: () => false }, silent), {
    constructor: ClusterError,
    message: `This test needs the packages bread of Debian, which apt-get cannot install here (${held}): install them, then try again.`,
  });
});
