import { CommanderError } from 'commander';
import { KnudgeError } from '../packages/controller/domain/errors.ts';

/** The exit code of every command: the only table, explained in docs/cli.md. */
export const exitCodes = {
  /** It did what was asked, or there was nothing to do. */
  done: 0,
  /** It tried and did not succeed, or what it checked is not right. */
  failed: 1,
  /** The command line is wrong or names what does not exist: nothing was tried. */
  usage: 2,
  /** No mesh runs there, or a cluster, a Broker or a function does not answer. */
  unreachable: 3,
  /** A second Ctrl-C: the command ends without waiting. */
  interrupted: 130,
} as const;

/** The exit code for what a command threw; Commander throws for `--help` too. */
export function exitCodeOf(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (thrown instanceof KnudgeError && thrown.code === 'misuse') return exitCodes.usage;
  if (thrown instanceof KnudgeError && thrown.code === 'unavailable') return exitCodes.unreachable;
  return exitCodes.failed;
}
