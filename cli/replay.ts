import { type Command, InvalidArgumentError, Option } from 'commander';
import { usualRate } from '../packages/event-log/replay/replay.ts';
import { brokerOption, timeoutOption } from './broker.ts';
import { withFilters } from './filters.ts';
import { leaf, usageError } from './leaf.ts';
import { withLog } from './open-log.ts';
import { listEvents } from './replay/list.ts';
import type { ReplayOptions, SourceOptions } from './replay/options.ts';
import { planEvents } from './replay/plan.ts';
import { sendEvents } from './replay/send.ts';

/** `knudge replay`: sends recorded events to the Broker once more, in their order. */
export function replayCommand(): Command {
  const command = leaf('replay', 'send recorded events to the Broker again, one at a time, in their order');
  const typed: { since?: string; until?: string } = {};
  return withSource(command)
    .addOption(brokerOption())
    .addOption(timeoutOption())
    .addOption(new Option('--rate <number>', 'events a second at most').argParser(rate).default(usualRate))
    .option('--limit <number>', 'send this many and stop', wholeNumber)
    .addOption(new Option('--dry-run', 'list what would be sent, send nothing').conflicts(['plan', 'resume']))
    .addOption(new Option('--plan', 'ask the functions what they would write, send nothing').conflicts('resume'))
    .option('--resume', 'go on where the same replay ended early')
    .on('option:since', (text: string) => void Object.assign(typed, { since: text }))
    .on('option:until', (text: string) => void Object.assign(typed, { until: text }))
    .action(async (options: ReplayOptions) => {
      refuseNonsense(options);
      if (options.dryRun) await listEvents(options);
      else if (options.plan) await planEvents(options);
      else await sendEvents(options, typed);
    });
}

/** Adds the options that select recorded events and say where they are. */
export function withSource(command: Command): Command {
  const states = ['open', 'sent-again', 'discarded'];
  return withFilters(withLog(command))
    .addOption(
      new Option('--dead-letters <state>', 'dead letters in this state instead of the recorded events').choices(states),
    )
    .option('--file <events.ndjson>', 'events as `knudge events export` writes them, instead of the log');
}

/** Throws a usage error if two options contradict each other. */
export function refuseNonsense({ file, deadLetters }: SourceOptions): void {
  if (file !== undefined && deadLetters !== undefined) {
    throw usageError('--dead-letters is for the log, and --file has events only: leave one of them out');
  }
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Give a whole number above 0.');
}

function rate(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value >= 0.01 && value <= 10_000) return value;
  throw new InvalidArgumentError('Give a number of events a second, from 0.01 to 10000.');
}
