import type { Command } from 'commander';
import { exportCommand } from './events/export.ts';
import { listCommand } from './events/list.ts';
import { showCommand } from './events/show.ts';
import { verifyCommand } from './events/verify.ts';
import { group } from './leaf.ts';

/** `knudge events`: shows what is in the event log. */
export function eventsCommand(): Command {
  const leaves = [listCommand(), showCommand(), exportCommand(), verifyCommand()];
  return group('events', 'look at the events that the event log keeps', leaves);
}
