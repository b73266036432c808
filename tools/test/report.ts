import { relative } from 'node:path';
import { Readable } from 'node:stream';
import type { run } from 'node:test';
import { spec as Spec, type TestEvent } from 'node:test/reporters';
import { failures } from './failures.ts';
import type { Coverage } from './suites.ts';

type Events = ReturnType<typeof run>;

export interface Verdict {
  readonly tests: number;
  readonly failed: number;
  /** Tests and suites that were skipped or are still to do, each with its reason. */
  readonly skipped: readonly string[];
  /** The coverage in percent; absent if it was not measured. */
  readonly covered?: Covered;
}

export interface Covered extends Coverage {
  /** The files with the most lines that no test ran: `cli/dev.ts 31`. */
  readonly least: readonly string[];
}

/** Node's closing lines, which come before its list of failures: here they come last. */
const closing = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (.*)$/;

/** The most failures that are listed at the end; all of them are above. */
const mostNamed = 20;

/** The beginning of a test's line about how much it has tried: such lines are printed again at the end. */
const counted = 'counted: ';

/**
 * Writes events as Node's reporter does, then what was counted, what did not run and why, what failed, and Node's
 * closing lines, which here count every failure: Node itself says "fail 0" for suites.
 */
export async function report(events: Events, write: (text: string) => void): Promise<Verdict> {
  const skipped: string[] = [];
  const lines: ClosingLine[] = [];
  const tallies: string[] = [];
  let covered: Covered | undefined;
  const counts = { tests: 0, isGreen: false };
  const failing = failures();
  async function* withoutClosing(): AsyncGenerator<TestEvent> {
    for await (const event of events) {
      failing.see(event);
      const line = closingLine(event);
      covered ??= coveredBy(event);
      if (event.type === 'test:coverage') continue;
      tallies.push(...countedIn(event));
      if (line === undefined) yield event;
      else lines.push(line);
      skipped.push(...skipOf(event));
      Object.assign(counts, countsOf(event));
    }
  }
  for await (const text of Readable.from(withoutClosing()).compose(new Spec())) write(String(text));
  const failed = counts.isGreen ? failing.failed() : Math.max(1, failing.failed());
  const ours: Readonly<Record<string, number>> = { fail: failed, cancelled: failing.cancelled() };
  write(section('Counted', tallies) + section('Not run', skipped));
  if (failed > 0) write(section('Failed', shortened(failing.lines())));
  write(`\n${lines.map(({ what, figure }) => `ℹ ${what} ${ours[what] ?? figure}\n`).join('')}`);
  return { tests: counts.tests, failed, skipped, ...(covered && { covered }) };
}

function section(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `\n${title}:\n${rows.map((row) => `  ${row}\n`).join('')}`;
}

function shortened(rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return ['a failure outside of tests, suites and files: see above'];
  const others = rows.length - mostNamed;
  return [...rows.slice(0, mostNamed), ...(others > 0 ? [`and ${others} more`] : [])];
}

interface ClosingLine {
  readonly what: string;
  readonly figure: string;
}

function closingLine({ type, data }: TestEvent): ClosingLine | undefined {
  const [, what, figure] = (type === 'test:diagnostic' && closing.exec(data.message)) || [];
  return what === undefined || figure === undefined ? undefined : { what, figure };
}

function countedIn({ type, data }: TestEvent): readonly string[] {
  if (type !== 'test:diagnostic' || !data.message.startsWith(counted)) return [];
  return [data.message.slice(counted.length)];
}

function coveredBy({ type, data }: TestEvent): Covered | undefined {
  if (type !== 'test:coverage') return undefined;
  const { files, totals } = data.summary;
  const missed = files.map(({ path, totalLineCount, coveredLineCount }) => ({
    path: relative(process.cwd(), path),
    lines: totalLineCount - coveredLineCount,
  }));
  const least = missed.sort((one, other) => other.lines - one.lines).slice(0, 40);
  return {
    lines: totals.coveredLinePercent,
    branches: totals.coveredBranchPercent,
    least: least.map(({ path, lines }) => `${path} ${lines}`),
  };
}

function skipOf({ type, data }: TestEvent): readonly string[] {
  if (type !== 'test:pass' && type !== 'test:fail') return [];
  const why = data.skip ?? data.todo;
  if (why === undefined || why === false) return [];
  const place = data.file === undefined ? '' : `${relative(process.cwd(), data.file)}: `;
  return [`${place}${data.name} (${why === true || why === '' ? 'no reason given' : why})`];
}

/** The summary without a file is that of the whole run. */
function countsOf({ type, data }: TestEvent): { readonly tests?: number; readonly isGreen?: boolean } {
  if (type !== 'test:summary' || data.file !== undefined) return {};
  return { tests: data.counts.tests, isGreen: data.success };
}
