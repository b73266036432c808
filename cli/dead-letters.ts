import type { Command } from 'commander';
import { discardCommand, retryCommand } from './dead-letters/act.ts';
import { listCommand } from './dead-letters/list.ts';
import { showCommand } from './dead-letters/show.ts';
import { group } from './leaf.ts';

/** `knudge dead-letters`: events that the Broker gave up on, and what is to become of them. */
export function deadLettersCommand(): Command {
  const leaves = [listCommand(), showCommand(), retryCommand(), discardCommand()];
  return group('dead-letters', 'look at events that the Broker gave up on, send them again or discard them', leaves);
}
