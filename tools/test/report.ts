import { relative } from 'node:path';
import { Readable } from 'node:stream';
import type { run } from 'node:test';
import { spec as Spec, type TestEvent } from 'node:test/reporters';
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
const closing = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

/** How a test begins a line about how much it has tried: such lines are told again at the end. */
const counted = 'counted: ';

/** Writes what happens as Node's reporter does, then what was counted, what did not run and why, and Node's closing lines. */
export async function report(events: Events, write: (text: string) => void): Promise<Verdict> {
  const skipped: string[] = [];
  const lines: string[] = [];
  const tallies: string[] = [];
  let covered: Coverage | undefined;
  const counts = { tests: 0, failed: 0 };
  async function* withoutClosing(): AsyncGenerator<TestEvent> {
    for await (const event of events) {
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
  if (tallies.length > 0) write(`\nCounted:\n${tallies.map((line) => `  ${line}\n`).join('')}`);
  if (skipped.length > 0) write(`\nNot run:\n${skipped.map((line) => `  ${line}\n`).join('')}`);
  write(`\n${lines.join('')}`);
  return { ...counts, skipped, ...(covered && { covered }) };
}

function closingLine({ type, data }: TestEvent): string | undefined {
  return type === 'test:diagnostic' && closing.test(data.message) ? `ℹ ${data.message}\n` : undefined;
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
function countsOf({ type, data }: TestEvent): Partial<Verdict> {
  if (type !== 'test:summary' || data.file !== undefined) return {};
  const { tests, passed, skipped, todo } = data.counts;
  return { tests, failed: data.success ? 0 : Math.max(1, tests - passed - skipped - todo) };
}
