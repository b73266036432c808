import type { Command } from 'commander';
import { resyncTypes } from '../packages/controller/domain/change.ts';
import { type BrokerOptions, sendToBroker, withBroker } from './broker.ts';
import { leaf } from './leaf.ts';
import { show } from './show.ts';

/** `knudge resync`: what a tick of the PingSource does. */
export function resyncCommand(): Command {
  const command = leaf('resync', 'ask after every DistributedService and Message, as the PingSource does');
  return withBroker(command).action(async (options: BrokerOptions) => {
    const sent = await sendToBroker({ type: resyncTypes.due, extensions: {} }, options);
    show(
      { ...sent, type: resyncTypes.due },
      () => `${sent.broker} took the event ${sent.id}: a resync is under way`,
      options,
    );
  });
}
