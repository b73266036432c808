import type { Finding, Level } from '../../packages/controller/doctor/finding.ts';
import type { Examined } from './examine.ts';
import { groupByCause } from './group.ts';

type Paint = (level: Level, text: string) => string;

const words: Readonly<Record<Level, string>> = { ok: 'ok', warning: 'warning', problem: 'problem', unchecked: '-' };

/**
 * The report for people: a line for each cause, with why and what to do below each that is not ok; the counts come last. With
 * `onlyIll` it leaves out what is ok or was not checked.
 */
export function reportOf({ findings }: Pick<Examined, 'findings'>, paint: Paint, onlyIll = false): string {
  const groups = groupByCause(findings);
  const count = (level: Level): number => groups.filter((one) => one.level === level).length;
  const ills = [counted(count('problem'), 'problem'), counted(count('warning'), 'warning')];
  const sums = [...ills, `${count('ok')} ok`, `${count('unchecked')} not checked`].join(', ');
  const shown = groups.filter(({ level }) => !onlyIll || level === 'problem' || level === 'warning');
  return [...shown.map((finding) => linesOf(finding, paint)), ...(shown.length > 0 ? [''] : []), sums].join('\n');
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
