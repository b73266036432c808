import { test } from 'node:test';
import { killAndRestart } from './kill-and-restart.ts';

test('the whole mesh is killed again and again: the resync at the start finds what the Broker in memory has lost', (context) =>
  killAndRestart(context, [], 'has lost them'));
