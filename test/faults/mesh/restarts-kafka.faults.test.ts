import { test } from 'node:test';
import { killAndRestart } from './kill-and-restart.ts';

test('the whole mesh is killed again and again: with the Kafka Broker what it has accepted is delivered', (context) =>
  killAndRestart(context, ['--overlay', 'kafka'], 'delivers them again'));
