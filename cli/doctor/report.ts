import type { Examined } from './examine.ts';
import type { Finding, Level } from './finding.ts';

type Paint = (level: Level, text: string) => string;

const words: Readonly<Record<Level, string>> = { ok: 'ok', warning: 'warning', problem: 'problem', unchecked: '-' };

/** What a person reads: a line for each finding, with why and what to do below what is not well; the counts last. */
export function reportOf({ findings, counts }: Examined, paint: Paint): string {
  const { problem, warning, ok, unchecked } = counts;
  const sums = [counted(problem, 'problem'), counted(warning, 'warning'), `${ok} ok`, `${unchecked} not checked`];
  return [...findings.map((finding) => linesOf(finding, paint)), '', sums.join(', ')].join('\n');
}

const width = 8;
const margin = ' '.repeat(width + 1);

function linesOf({ level, what, why, todo }: Finding, paint: Paint): string {
  const more = [...(why === undefined ? [] : [`why: ${why}`]), ...(todo === undefined ? [] : [`do:  ${todo}`])];
  return [`${paint(level, words[level].padEnd(width))} ${what}`, ...more.map((line) => `${margin}${line}`)].join('\n');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
