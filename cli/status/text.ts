import type { Style } from '../../packages/mesh/screen.ts';
import type { LastEvent } from '../../packages/mesh/status-file.ts';
import { listedType } from '../filters.ts';
import { tableOf } from '../table.ts';
import { countOf, objectOf } from '../words.ts';

/** One function: the Trigger that wakes it, and the process that serves it. */
export interface FunctionStatus {
  readonly name: string;
  readonly process: string;
  readonly awake: number;
  readonly coldMs?: number;
  /** Bytes of memory of all of its processes that are awake; absent where nobody says it. */
  readonly memoryBytes?: number;
  /** Why its process ends each time it starts. */
  readonly crashing?: string;
  readonly last?: LastEvent;
}

/** What the event log says, or why it does not. */
export type LogStatus =
  | { readonly trouble: string }
  | { readonly openDeadLetters: number /** When the newest recorded event came. */; readonly newest?: string };

export interface Status {
  readonly title: string;
  readonly now: string;
  readonly functions: readonly FunctionStatus[];
  readonly lastResync: string | undefined;
  readonly log: LogStatus;
}

/** One screen: the functions below the processes that serve them, then the log and the resync. */
export function statusText(
  { title, now, functions, lastResync, log }: Status,
  { bad, odd, dim }: Style,
  width = Number.POSITIVE_INFINITY,
): string {
  const ago = (time: string): string => `${ageOf((Date.parse(now) - Date.parse(time)) / 1000)} ago`;
  const resync = lastResync === undefined ? odd('no resync yet') : `last resync began ${ago(lastResync)}`;
  return [
    dim(title),
    ...functionLines(functions, { ago, width }),
    '',
    ...logLines({ functions, log, ago }, { bad, odd }),
    resync,
  ].join('\n');
}

type Ago = (time: string) => string;

const indent = '  ';
const headings = ['FUNCTION', 'LAST', 'EVENT', 'OUTCOME'];

function functionLines(
  functions: readonly FunctionStatus[],
  { ago, width }: { readonly ago: Ago; readonly width: number },
): readonly string[] {
  const sorted = functions.toSorted((one, other) => one.process.localeCompare(other.process));
  const rows = sorted.map(({ name, last }) => [name, ...(last === undefined ? ['-', '-', '-'] : cellsOf(last, ago))]);
  const fit = { width: width - indent.length, least: { EVENT: 12, OUTCOME: 16 } };
  const [head, ...lines] = tableOf(headings, rows, fit)
    .split('\n')
    .map((line) => `${indent}${line}`);
  return [
    head ?? '',
    ...lines.flatMap((line, index) => {
      const one = sorted[index];
      const isFirst = one !== undefined && sorted[index - 1]?.process !== one.process;
      return isFirst ? [processLine(one), line] : [line];
    }),
  ];
}

function processLine({ process, awake, crashing, coldMs, memoryBytes }: FunctionStatus): string {
  const memory = awake === 0 || memoryBytes === undefined ? '' : `, ${Math.round(memoryBytes / 1e6)} MB`;
  return `${process}: ${stateOf(awake, crashing)}${memory}${coldMs === undefined ? '' : `, cold ${coldMs} ms`}`;
}

function stateOf(awake: number, crashing: string | undefined): string {
  if (awake > 0) return `awake (${awake})`;
  return crashing === undefined ? 'asleep' : 'crashing';
}

function cellsOf(last: LastEvent, ago: Ago): readonly string[] {
  const { outcome = String(last.status) } = last;
  const [result = ''] = outcome.split('; ');
  const [, writes] = /; writes=(\d+)/.exec(outcome) ?? [];
  return [
    ago(last.time),
    `${listedType(last.type)} ${objectOf(last)}`,
    writes === undefined ? result : `${result}, ${countOf(Number(writes), 'write')}`,
  ];
}

/** `90 s`, `15 min`, `30 h`, `3 d`. */
function ageOf(seconds: number): string {
  const units = [
    ['s', 1, 120],
    ['min', 60, 120],
    ['h', 3600, 48],
  ] as const;
  const whole = Math.max(0, Math.round(seconds));
  const [unit, length] = units.find(([, size, most]) => whole < size * most) ?? ['d', 86_400];
  return `${Math.floor(whole / length)} ${unit}`;
}

interface OfLog extends Pick<Status, 'functions' | 'log'> {
  readonly ago: Ago;
}

function logLines({ functions, log, ago }: OfLog, { bad, odd }: Pick<Style, 'bad' | 'odd'>): readonly string[] {
  if ('trouble' in log) return [bad(`event log: ${log.trouble}`)];
  const { openDeadLetters, newest } = log;
  const letters = countOf(openDeadLetters, 'open dead letter');
  const last = newest === undefined ? 'no event yet' : `newest event ${ago(newest)}${lagText(functions, newest)}`;
  return [`event log: ${last}`, openDeadLetters === 0 ? letters : odd(letters)];
}

/** How far the newest recorded event is behind the last that a function got; nothing where no function of this machine got any. */
function lagText(functions: readonly FunctionStatus[], newest: string): string {
  const times = functions.flatMap(({ last }) => (last === undefined ? [] : [Date.parse(last.time)]));
  if (times.length === 0) return '';
  const seconds = Math.max(0, Math.max(...times) - Date.parse(newest)) / 1000;
  return `, ${ageOf(seconds)} behind the functions`;
}
