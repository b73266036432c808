import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from './parts.ts';
import { runPart } from './run-part.ts';

export interface Result {
  readonly name: string;
  readonly what: string;
  /** The command to run it again. */
  readonly command: string;
  readonly outcome: 'passed' | 'failed' | 'not run';
  /** The reason if it has failed or was not run. */
  readonly why?: string;
  readonly seconds: number;
  readonly minutes: number;
  readonly log?: string;
  /** The figures that its tests have counted. */
  readonly counted: readonly string[];
}

export interface Night {
  readonly parts: readonly Part[];
  /** The folder of the logs. */
  readonly folder: string;
  /** Milliseconds for all parts together. */
  readonly limitMs: number;
  readonly graceMs: number;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Runs one part after the other, also after failures, until the time for all of them is over. */
export async function runNight({ parts, folder, limitMs, graceMs, signal, log }: Night): Promise<readonly Result[]> {
  const end = Date.now() + limitMs;
  const results: Result[] = [];
  for (const [index, part] of parts.entries()) {
    const { name, what, minutes } = part;
    const row = { name, what, command: commandOf(part), minutes };
    const ms = Math.min(minutes * 60_000, end - Date.now());
    const why = signal.aborted ? 'stopped by a person' : 'the time of the night was over';
    if (signal.aborted || ms <= 0) {
      results.push({ ...row, outcome: 'not run', why, seconds: 0, counted: [] });
      continue;
    }
    log(`(${index + 1} of ${parts.length}) ${name}, at most ${minutes} minutes: ${row.command}`);
    const file = join(folder, `${name}.log`);
    const { failure, seconds } = await runPart(part, file, { ms, graceMs, signal });
    const outcome = failure === undefined ? 'passed' : 'failed';
    const counted = [...readFileSync(file, 'utf8').matchAll(/\bcounted: (.+)/g)].map(([, line = '']) => line);
    results.push({ ...row, outcome, ...(failure !== undefined && { why: failure }), seconds, log: file, counted });
    log(`${name}: ${outcome}${failure === undefined ? '' : `, ${failure}`}`);
  }
  return results;
}

/** The command with its variables, as it is typed. */
export function commandOf({ command, environment = {} }: Part): string {
  return [...Object.entries(environment).map(([name, value]) => `${name}=${value}`), ...command].join(' ');
}
