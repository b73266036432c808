import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { readPeersArguments } from '../../../bench/peers/arguments.ts';
import { countCalls } from '../../../bench/peers/audit.ts';
import { faultsOf } from '../../../bench/peers/check.ts';
import { parseStat, treeOf, usageOf } from '../../../bench/peers/tree.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';

describe('calls in the log of the API server', () => {
  const line = (more: object) =>
    JSON.stringify({ stage: 'ResponseComplete', verb: 'create', user: { username: 'kopf' }, ...more });

  it('count once each: a watch when it begins, all else when it is answered', () => {
    const watch = { verb: 'watch', objectRef: { resource: 'pods' } };
    const status = { verb: 'patch', objectRef: { resource: 'messages', subresource: 'status' } };
    const lines = [line(watch), line({ ...watch, stage: 'ResponseStarted' }), line(status), line(status)];
    assert.deepEqual(countCalls(lines, 'kopf'), { 'watch pods': 1, 'patch messages/status': 2 });
  });

  it('the calls of another user are not counted, even if a line of the audit log names this user too', () => {
    const other = line({ user: { username: 'go' }, objectRef: { resource: 'serviceaccounts', name: 'kopf' } });
    assert.deepEqual(countCalls([other, '', '{"half": "kopf"'], 'kopf'), {});
  });
});

describe('a process tree', () => {
  const stat = (pid: number, parent: number) =>
    parseStat(`${String(pid)} (a (b) c) S ${String(parent)} 0 0 0 0 0 0 0 0 0 3 4 5 6 0 0`);

  it('is read from lines in which the name of a program has parentheses', () => {
    assert.deepEqual(stat(7, 1), { pid: 7, parent: 1, ticks: { own: 7, ended: 11 } });
  });

  it('is the process and all below it, and nobody else', () => {
    const all = [stat(4, 3), stat(1, 0), stat(2, 1), stat(3, 2), stat(5, 1)];
    assert.deepEqual(
      treeOf(2, all).map(({ pid }) => pid),
      [2, 3, 4],
    );
  });
});

describe('what a process tree uses', () => {
  it('is split by command lines, and each process counts on one side', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'sleeper']);
    await once(child, 'spawn');
    const { own, platform } = usageOf(process.pid, (command) => command.includes('sleeper'));
    const all = usageOf(process.pid, () => false);
    child.kill('SIGKILL');
    assert.ok(own.rssMb > 10 && platform.rssMb > 0, JSON.stringify({ own, platform }));
    assert.ok(all.own.rssMb > own.rssMb, JSON.stringify({ own, all }));
    assert.deepEqual(all.platform, { cpuMs: 0, rssMb: 0, waits: 0 });
    assert.ok(own.cpuMs > 0 && own.waits > 0, JSON.stringify(own));
  });

  it('the usage of a process that has ended is an error', () => {
    assert.throws(() => usageOf(2 ** 30, () => false), /has ended/);
  });
});

describe('the work of a contestant', () => {
  const message = { metadata: { name: 'a', uid: 'u' }, status: { phase: 'Processed' } } as unknown as KubeObject;
  const pod = (uid: string, text = 'I am a') => {
    const metadata = { name: 'msg-a', ownerReferences: [{ kind: 'Message', name: 'a', uid, controller: true }] };
    return { metadata, spec: { containers: [{ env: [{ value: text }] }] } } as unknown as KubeObject;
  };
  const found = { messages: [message], pods: [pod('u')], timesProcessed: () => 1 };

  it('is done where the Message has its Pod and became Processed once', () => {
    assert.deepEqual(faultsOf(['a'], found), []);
  });

  const wrongs: readonly (readonly [string, Partial<typeof found>])[] = [
    ['a has no Pod', { pods: [] }],
    ['the Pod of a is not owned by it', { pods: [pod('another')] }],
    ['the Pod of a has another text', { pods: [pod('u', 'something else')] }],
    ['a is undefined', { messages: [{ ...message, status: {} } as KubeObject] }],
    ['a became Processed 2 times', { timesProcessed: () => 2 }],
  ];
  for (const [fault, wrong] of wrongs) {
    it(`is not done where ${fault}`, () => assert.deepEqual(faultsOf(['a'], { ...found, ...wrong }), [fault]));
  }
});

describe('the arguments', () => {
  it('have defaults, sorted points, and names of contestants', () => {
    const { rounds, messages, pods, only } = readPeersArguments(['--pods', '20,0', '--only', 'kopf,knudge']);
    assert.deepEqual(
      { rounds, messages, pods, only },
      { rounds: 3, messages: 1000, pods: [0, 20], only: ['kopf', 'knudge'] },
    );
    assert.deepEqual(readPeersArguments(['--pods', '']).pods, []);
  });

  for (const wrong of [
    ['--rounds', '0'],
    ['--messages', 'x'],
    ['--only', 'nobody'],
    ['--smoke', '--draw'],
  ]) {
    it(`are refused with a sentence: ${wrong.join(' ')}`, () => assert.throws(() => readPeersArguments(wrong)));
  }
});
