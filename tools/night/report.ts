import { readFileSync } from 'node:fs';
import type { Result } from './run-night.ts';

/** Lines at the end of a log that mostly show why it failed. */
const tailLines = 25;

/** The result of each part, for the reader in the morning. */
export function reportOf(results: readonly Result[], began: Date): string {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const sums = `${count('passed')} passed, ${count('failed')} failed, ${count('not run')} not run`;
  const title = `The night of ${began.toISOString().slice(0, 10)}: ${sums}, in ${clock(seconds)}`;
  return `${[title, '', ...results.map(lineOf), ...results.flatMap(countedIn), ...results.flatMap(failureOf)].join('\n')}\n`;
}

/** Minutes and seconds. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function lineOf({ name, what, outcome, why, seconds, minutes }: Result): string {
  const time = `${clock(seconds).padStart(6)} of ${String(minutes).padStart(2)} minutes`;
  return `${outcome.padEnd(7)}  ${name.padEnd(15)}  ${time}  ${what}${why === undefined ? '' : ` (${why})`}`;
}

function countedIn({ name, counted }: Result): readonly string[] {
  return counted.length === 0 ? [] : ['', `${name} has counted:`, ...counted.map((line) => `  ${line}`)];
}

function failureOf({ name, outcome, why, command, log }: Result): readonly string[] {
  if (outcome !== 'failed' || log === undefined) return [];
  const said = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-tailLines);
  return ['', `${name} failed (${why}). Again: ${command}`, `The end of ${log}:`, ...said.map((line) => `  ${line}`)];
}
