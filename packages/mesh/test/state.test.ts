import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { enterFolder, type MeshState, readState } from '../state.ts';

const state: MeshState = {
  ...{ kubeconfig: 'k', apiServer: 'a', broker: 'b', console: null, eventLog: null },
  functions: { f: 'u' },
};

/** A process that lives and one that cannot: numbers end far below. */
const [alive, dead] = [process.ppid, 2 ** 30];

function folder(context: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-'));
  context.after(() => rmSync(dir, { recursive: true }));
  return join(dir, 'below', 'mesh');
}

test('the state is there when it is written and gone at the end', (context) => {
  const dir = folder(context);
  const entered = enterFolder(dir, process.pid);
  assert.equal(existsSync(join(dir, 'state.json')), false);
  entered.write(state);
  assert.deepEqual(JSON.parse(readFileSync(join(dir, 'state.json'), 'utf8')), state);
  assert.deepEqual(readState(dir), state);
  entered.leave();
  assert.throws(() => readState(dir), {
    code: 'unavailable',
    message: /^No mesh runs in .*: start one with npx knudge/,
  });
  assert.deepEqual(readdirSync(dir), []);
});

test('a folder where another mesh lives is refused with its process', (context) => {
  const dir = folder(context);
  enterFolder(dir, alive);
  assert.throws(() => enterFolder(dir, process.pid), {
    code: 'misuse',
    message: `A mesh runs in ${dir} already (process ${alive}): stop it or name another --dir`,
  });
});

test('what a killed mesh left is taken away', (context) => {
  const dir = folder(context);
  enterFolder(dir, dead).write(state);
  enterFolder(dir, process.pid);
  assert.deepEqual(readdirSync(dir), ['mesh.pid']);
});

test('what an earlier mesh left open to others is closed', (context) => {
  const dir = folder(context);
  mkdirSync(join(dir, 'broker'), { recursive: true, mode: 0o755 });
  for (const name of ['events.db', 'events.db-wal', 'objects.sqlite', 'mine'])
    writeFileSync(join(dir, name), '', { mode: 0o644 });
  enterFolder(dir, process.pid);
  const modes = Object.fromEntries(readdirSync(dir).map((name) => [name, statSync(join(dir, name)).mode & 0o777]));
  const { 'mesh.pid': _, mine, broker, ...kept } = modes;
  assert.deepEqual([mine, broker], [0o644, 0o700], 'and nothing else is touched');
  assert.deepEqual(kept, { 'events.db': 0o600, 'events.db-wal': 0o600, 'objects.sqlite': 0o600 });
});

test('a folder whose lock is no number is free, and one with our own number too', (context) => {
  const dir = folder(context);
  enterFolder(dir, process.pid);
  writeFileSync(join(dir, 'mesh.pid'), 'nonsense');
  enterFolder(dir, process.pid);
  enterFolder(dir, process.pid);
  assert.equal(readFileSync(join(dir, 'mesh.pid'), 'utf8'), String(process.pid));
});

test('a folder that cannot be one is told in a sentence', (context) => {
  const dir = folder(context);
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'file');
  writeFileSync(file, '');
  const message = `The folder ${file} cannot be written (EEXIST): name another --data`;
  assert.throws(() => enterFolder(file, process.pid, '--data'), { code: 'misuse', message });
  const below = join(file, 'below');
  assert.throws(() => enterFolder(below, process.pid), {
    message: `The folder ${below} cannot be written (ENOTDIR): name another --dir`,
  });
});

test('a folder whose lock nobody can take is told in a sentence', (context) => {
  const dir = folder(context);
  mkdirSync(join(dir, 'mesh.pid'), { recursive: true });
  const message = /^The folder .* cannot be written \(ERR_FS_EISDIR\): name another --dir$/;
  assert.throws(() => enterFolder(dir, process.pid), { message });
});

test('a command that needs a killed mesh gets its folder, its process and what to do', (context) => {
  const dir = folder(context);
  enterFolder(dir, dead).write(state);
  const message = `The mesh in ${dir} (process ${dead}) was killed: start it again with npx knudge dev`;
  assert.throws(() => readState(dir), { code: 'unavailable', message });
  rmSync(join(dir, 'state.json'));
  assert.throws(() => readState(dir), { code: 'unavailable', message }, 'also if it was killed before it was up');
});

test('a folder of processes is refused before Node tries to make one there without end', {
  skip: process.platform !== 'linux' && 'only Linux has /proc',
}, () => {
  const message = 'The folder /proc/knudge/mesh cannot be written (no file can be made in /proc): name another --data';
  assert.throws(() => enterFolder('/proc/knudge/mesh', process.pid, '--data'), { code: 'misuse', message });
});
