import type { Command } from 'commander';
import { resyncTypes } from '../packages/controller/domain/change.ts';
import { type BrokerOptions, sendToBroker, withBroker } from './broker.ts';
import { exitCodes } from './exit-codes.ts';
import { leaf } from './leaf.ts';
import { parentsBy } from './parents.ts';
import { show } from './show.ts';
import type { RoundOutcome } from './wait/came-of-round.ts';
import { resyncAndWait } from './wait/resync.ts';

interface Options extends BrokerOptions {
  readonly wait?: boolean;
}

/** `knudge resync`: sends the event that a tick of the PingSource sends. */
export function resyncCommand(): Command {
  const command = leaf('resync', `ask for a reconcile of every ${parentsBy('and')}, as the PingSource does`);
  return withBroker(
    command.option('--wait', 'wait until every object was asked after, and print what came of it'),
  ).action(async (options: Options) => {
    const send = () => sendToBroker({ type: resyncTypes.due, extensions: {} }, options);
    if (options.wait) return resyncWaiting(options, send);
    const sent = await send();
    show(
      { ...sent, type: resyncTypes.due },
      () => `${sent.broker} took the event ${sent.id}: a resync has begun`,
      options,
    );
  });
}

async function resyncWaiting(options: Options, send: () => ReturnType<typeof sendToBroker>): Promise<void> {
  const { sent, seconds: all, outcome: came } = await resyncAndWait(options, send);
  const seconds = Math.round(all * 10) / 10;
  show({ ...sent, type: resyncTypes.due, outcome: 'done', seconds, ...came }, () => textOf(seconds, came), options);
  if (came !== undefined && came.failed > 0) process.exitCode = exitCodes.failed;
}

function textOf(seconds: number, came: RoundOutcome | undefined): string {
  if (came === undefined)
    return `done: every object was asked after, in ${seconds} s; functions report to no event log here, so what came of it is not known`;
  const { asked, repaired, failed, open } = came;
  const others = open === 0 ? '' : `, ${open} not reported yet`;
  return `done: ${asked} ${asked === 1 ? 'object was' : 'objects were'} asked after, in ${seconds} s: ${repaired} repaired, ${failed} failed${others}`;
}
