import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseArguments } from '../../../tools/control-plane/arguments.ts';

const up = {
  kind: 'up',
  dir: '/here/.knudge/cluster',
  port: 0,
  audit: false,
  node: false,
  knative: 'none',
  apiserverArgs: [],
};

const understood = [
  { args: ['up'], wants: up },
  {
    args: ['up', '--dir', 'a', '--audit', '--port', '8443', '--node'],
    wants: { ...up, dir: '/here/a', port: 8443, audit: true, node: true },
  },
  { args: ['up', '--node', '--knative'], wants: { ...up, node: true, knative: 'with Knudge' } },
  { args: ['up', '--node', '--knative', '--no-knudge'], wants: { ...up, node: true, knative: 'alone' } },
  {
    args: ['up', '--dir=/b', '--apiserver-arg=--v=4', '--apiserver-arg=--x'],
    wants: { ...up, dir: '/b', apiserverArgs: ['--v=4', '--x'] },
  },
  { args: ['--dir', 'a', 'down'], wants: { kind: 'down', dir: '/here/a' } },
  { args: ['sideways', '--help'], wants: { kind: 'help' } },
];

for (const { args, wants } of understood) {
  test(`cluster ${args.join(' ')} is understood`, () => {
    assert.deepEqual(parseArguments(args, '/here'), wants);
  });
}

const refused = [
  { args: [], sentence: 'Say up or down; --help shows more.' },
  { args: ['sideways'], sentence: '"sideways" is neither up nor down; --help shows more.' },
  { args: ['up', 'down'], sentence: '"down" is one argument too many; --help shows more.' },
  { args: ['up', '--frob'], sentence: "Unknown option '--frob'; --help shows more." },
  { args: ['up', '--dir'], sentence: "Option '--dir <value>' argument missing; --help shows more." },
  { args: ['up', '--dir='], sentence: '--dir is empty.' },
  { args: ['up', '--port', '65536'], sentence: '--port "65536" is not a port number.' },
  { args: ['up', '--knative'], sentence: '--knative needs a real node: say --node too.' },
  { args: ['up', '--node', '--no-knudge'], sentence: '--no-knudge is for --knative; --help shows more.' },
  { args: ['down', '--knative'], sentence: 'down takes no --knative; --help shows more.' },
  { args: ['down', '--node'], sentence: 'down takes no --node; --help shows more.' },
  { args: ['down', '--audit'], sentence: 'down takes no --audit; --help shows more.' },
];

for (const { args, sentence } of refused) {
  test(`cluster ${args.join(' ')} is refused in one sentence`, () => {
    assert.throws(() => parseArguments(args, '/here'), { message: sentence });
  });
}
