import type { Command } from 'commander';
import { resyncTypes } from '../packages/controller/domain/change.ts';
import { type BrokerOptions, sendToBroker, withBroker } from './broker.ts';
import { leaf } from './leaf.ts';
import { parentsBy } from './parents.ts';
import { show } from './show.ts';
import { resyncAndWait } from './wait/resync.ts';

interface Options extends BrokerOptions {
  readonly wait?: boolean;
}

/** `knudge resync`: sends the event that a tick of the PingSource sends. */
export function resyncCommand(): Command {
  const command = leaf('resync', `ask for a reconcile of every ${parentsBy('and')}, as the PingSource does`);
  return withBroker(command.option('--wait', 'wait until every object was asked after')).action(
    async (options: Options) => {
      const send = () => sendToBroker({ type: resyncTypes.due, extensions: {} }, options);
      if (options.wait) return resyncWaiting(options, send);
      const sent = await send();
      show(
        { ...sent, type: resyncTypes.due },
        () => `${sent.broker} took the event ${sent.id}: a resync has begun`,
        options,
      );
    },
  );
}

async function resyncWaiting(options: Options, send: () => ReturnType<typeof sendToBroker>): Promise<void> {
  const { sent, seconds } = await resyncAndWait(options, send);
  const outcome = { ...sent, type: resyncTypes.due, outcome: 'done', seconds: Math.round(seconds * 10) / 10 };
  show(outcome, () => `done: every object was asked after, in ${outcome.seconds} s`, options);
}
