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
  /** What was run of the code, in percent; absent where it was not measured. */
  readonly covered?: Coverage;
}

/** Node's closing lines, which come before its list of failures: here they come last. */
const closing = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (.*)$/;

/** Who sees so many has enough to begin with; all of them stand above. */
const mostNamed = 20;

/** How a test begins a line about how much it has tried: such lines are told again at the end. */
const counted = 'counted: ';

/**
 * Writes what happens as Node's reporter does, then what was counted, what did not run and why, what failed, and Node's
 * closing lines, in which whatever failed is counted: Node itself says "fail 0" of suites.
 */
export async function report(events: Events, write: (text: string) => void): Promise<Verdict> {
  const skipped: string[] = [];
  const lines: ClosingLine[] = [];
  const tallies: string[] = [];
  let covered: Coverage | undefined;
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
  if (rows.length === 0) return ['what no test, suite or file has told: see above'];
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

function coveredBy({ type, data }: TestEvent): Coverage | undefined {
  if (type !== 'test:coverage') return undefined;
  const { coveredLinePercent, coveredBranchPercent } = data.summary.totals;
  return { lines: coveredLinePercent, branches: coveredBranchPercent };
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
