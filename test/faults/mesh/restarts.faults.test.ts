import { test } from 'node:test';
import { faultShare } from '../share.ts';
import { killAndRestart } from './kill-and-restart.ts';

const classes = [
  { args: [], promised: 'has lost them', what: 'the resync at the start finds what the Broker in memory has lost' },
  {
    args: ['--overlay', 'kafka'],
    promised: 'delivers them again',
    what: 'with the Kafka Broker what it has accepted is delivered',
  },
] as const;

for (const { args, promised, what } of faultShare.of(classes))
  test(`the whole mesh is killed again and again: ${what}`, (context) => killAndRestart(context, args, promised));
