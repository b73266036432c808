import { CommanderError } from 'commander';
import { asKnudgeError } from '../packages/controller/domain/errors.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';

/** What Commander throws after it has printed the help. */
const shown = '(outputHelp)';

/** Prints what went wrong, for programs as one line of JSON; returns the exit code. */
export function tellFailure(thrown: unknown, isJson: boolean): number {
  const exitCode = exitCodeOf(thrown);
  if (exitCode === exitCodes.done || (thrown instanceof CommanderError && thrown.message === shown)) return exitCode;
  const { code, message } = wordsOf(thrown);
  console.error(isJson ? JSON.stringify({ error: { code, message } }) : message);
  return exitCode;
}

function wordsOf(thrown: unknown): { readonly code: string; readonly message: string } {
  if (!(thrown instanceof CommanderError)) return asKnudgeError(thrown);
  const message = thrown.message.replace(/^error: /, '');
  return { code: 'usage', message: `${message}\nRun it with --help for usage.` };
}
