import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { belongsTo, commandLine, endProcesses, mentions } from '../../../tools/control-plane/processes.ts';

const rows = [
  { reason: 'an argument with the folder', command: 'kubestack\0all\0--dir=/tmp/a\0--port=0\0', named: true },
  { reason: 'a file in the folder', command: 'kwok --kubeconfig=/tmp/a/pki/kwok.kubeconfig', named: true },
  { reason: 'the folder at the end', command: 'kubestack all --dir /tmp/a', named: true },
  { reason: 'a neighbour, then the folder', command: 'x /tmp/ab /tmp/a', named: true },
  { reason: 'a longer name', command: 'kubestack all --dir=/tmp/ab', named: false },
  { reason: 'no process at all', command: '', named: false },
];

for (const { reason, command, named } of rows) {
  test(`a command line with ${reason} ${named ? 'names' : 'does not name'} the folder`, () => {
    assert.equal(mentions(command, '/tmp/a'), named);
  });
}

test('a process of somebody else that got the pid of ours is not killed', async () => {
  const dir = '/tmp/a folder of a cluster';
  const forever = 'setInterval(() => {}, 1000)';
  const stranger = spawn(process.execPath, ['-e', forever]);
  const ours = spawn(process.execPath, ['-e', forever, '--', `--dir=${dir}`]);
  await Promise.all([once(stranger, 'spawn'), once(ours, 'spawn')]);
  const [strangerPid = 0, ourPid = 0] = [stranger.pid, ours.pid];
  try {
    assert.deepEqual([belongsTo(strangerPid, dir), belongsTo(ourPid, dir)], [false, true]);
    endProcesses([strangerPid, ourPid, 0x7fffffff], dir);
    assert.equal(commandLine(ourPid), '');
    assert.notEqual(commandLine(strangerPid), '');
  } finally {
    stranger.kill('SIGKILL');
    ours.kill('SIGKILL');
  }
});
