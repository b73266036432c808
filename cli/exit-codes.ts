import { CommanderError } from 'commander';
import { KnudgeError } from '../packages/controller/domain/errors.ts';

/** How every command ends: the only table, told in docs/cli.md. */
export const exitCodes = {
  /** It did what it was asked, or there was nothing to do. */
  done: 0,
  /** It was tried and did not succeed, or what was looked at is not right. */
  failed: 1,
  /** The command line is wrong, or names what is not there: nothing was tried. */
  usage: 2,
  /** No mesh runs there, or a cluster, a Broker or a function does not answer. */
  unreachable: 3,
  /** A second Ctrl-C, which waits for nothing. */
  interrupted: 130,
} as const;

/** The exit code of what a command threw; Commander throws for `--help` too. */
export function exitCodeOf(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (thrown instanceof KnudgeError && thrown.code === 'misuse') return exitCodes.usage;
  if (thrown instanceof KnudgeError && thrown.code === 'unavailable') return exitCodes.unreachable;
  return exitCodes.failed;
}
