#!/usr/bin/env node
import { Command } from 'commander';
import { version } from './about.ts';
import { completionCommand } from './completion.ts';
import { deadLettersCommand } from './dead-letters.ts';
import { devCommand } from './dev.ts';
import { doctorCommand } from './doctor.ts';
import { eventsCommand } from './events.ts';
import { functionCommand } from './function.ts';
import { invokeCommand } from './invoke.ts';
import { strict } from './leaf.ts';
import { mapCommand } from './map.ts';
import { reconcileCommand } from './reconcile.ts';
import { replayCommand } from './replay.ts';
import { resyncCommand } from './resync.ts';
import { shadowCommand } from './shadow.ts';
import { tellFailure } from './tell-failure.ts';
import { versionCommand } from './version.ts';

/** Every subcommand, in the order of the help. */
const commands = [
  devCommand,
  functionCommand,
  invokeCommand,
  resyncCommand,
  reconcileCommand,
  eventsCommand,
  deadLettersCommand,
  replayCommand,
  shadowCommand,
  mapCommand,
  doctorCommand,
  completionCommand,
  versionCommand,
];

const program = strict(new Command('knudge'))
  .description('A Kubernetes controller that sleeps until it is nudged')
  .version(version);
for (const command of commands) program.addCommand(command());
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tellFailure(error, process.argv.includes('--json'));
}
