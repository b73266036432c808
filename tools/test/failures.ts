import { relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

export interface Failures {
  /** Must get every event of the run, in its order. */
  readonly see: (event: TestEvent) => void;
  /** Tests, suites and files that failed. Node's own count leaves out suites, and tests that took too long. */
  readonly failed: () => number;
  /** Tests that did not run to their end because of a failure around them. */
  readonly cancelled: () => number;
  /** One line for each that failed by itself, and not because of a failure within it. */
  readonly lines: () => readonly string[];
}

/** The fields of an error by Node's runner; its types do not have them. */
interface Details {
  readonly failureType?: unknown;
  readonly cause?: unknown;
  readonly exitCode?: unknown;
  readonly signal?: unknown;
}

type Failed = Extract<TestEvent, { readonly type: 'test:fail' }>['data'];

/** The beginning of an uncaught error's message, as a process writes it before it ends. */
const uncaught = /^(?:\w*Error|\w*Exception)\b/;

/** The beginning of the note by Node's runner about an uncaught error that came when its test was over. */
const afterItsTest = /^Error: .* generated asynchronous activity after the test ended\./;

/** Counts and names failures, also those outside of a test: of a file, of a suite while it is built, of a hook. */
export function failures(): Failures {
  const lines: string[] = [];
  const path: string[] = [];
  const lastErrors = new Map<string, string>();
  const counts = { failed: 0, cancelled: 0 };
  const fail = (data: Failed): void => {
    const { failureType } = data.details.error as Details;
    const isOwn = failureType !== 'subtestsFailed';
    if (data.todo !== undefined && data.todo !== false) return;
    if (failureType === 'cancelledByParent') counts.cancelled += 1;
    else if (isOwn || data.details.type !== 'suite') counts.failed += 1;
    if (isOwn && failureType !== 'cancelledByParent') lines.push(lineOf(data, path, lastErrors));
  };
  return {
    see: ({ type, data }) => {
      if (type === 'test:start') path.splice(data.nesting, path.length, data.name);
      if (type === 'test:stderr' && uncaught.test(data.message)) lastErrors.set(resolve(data.file), data.message);
      if (type === 'test:diagnostic' && data.file !== undefined && afterItsTest.test(data.message))
        lastErrors.set(resolve(data.file), data.message);
      if (type === 'test:fail') fail(data);
    },
    failed: () => counts.failed,
    cancelled: () => counts.cancelled,
    lines: () => lines,
  };
}

function lineOf(
  { file, name, nesting, details }: Failed,
  path: readonly string[],
  lastErrors: ReadonlyMap<string, string>,
) {
  const place = file === undefined ? [] : [relative(process.cwd(), file)];
  const isFile = name === place[0] || name === file;
  const names = isFile ? [] : [[...path.slice(0, nesting), name].join(' > ')];
  return [...place, ...names, why(details.error, lastErrors.get(file ?? ''))].join(': ');
}

function why(error: Error, lastError: string | undefined): string {
  const { failureType, cause, exitCode, signal } = error as Details;
  if (typeof signal === 'string') return `ended by ${signal}`;
  if (typeof exitCode === 'number')
    return `ended with exit code ${exitCode}${lastError === undefined ? '' : `: ${firstLine(lastError)}`}`;
  const reason = firstLine(cause instanceof Error ? cause.message : String(cause ?? error.message));
  return failureType === 'hookFailed' && error.message !== reason ? `${firstLine(error.message)}: ${reason}` : reason;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
