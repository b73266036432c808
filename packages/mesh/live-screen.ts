import type { Hop } from './hop.ts';
import { createLogOnScreen } from './log-on-screen.ts';
import { isWithoutChange, lineOf, type Style } from './screen.ts';
import { widthOf, wrap } from './wrap.ts';

export interface LiveScreenParts {
  readonly print: (text: string) => void;
  readonly style: Style;
  /** Shows every event, also those after which nothing was to do. */
  readonly all: boolean;
  /** The columns of the terminal now; undefined if the output is not a terminal. */
  readonly columns: () => number | undefined;
  readonly now: () => Date;
  /** Calls once after these milliseconds, unless the returned function was called before. */
  readonly later: (ms: number, call: () => void) => () => void;
}

/** Milliseconds after which the events without a change are counted, if no line has said it before. */
const untilCounted = 1000;

/**
 * The lines for the hops as they come, each with the time of day and within the columns of the terminal. Events after which nothing
 * was to do, which are most of them, are counted: `(+5 without a change)`.
 */
export function createLiveScreen({ print, style, all, columns, now, later }: LiveScreenParts): (hop: Hop) => void {
  const log = createLogOnScreen(style);
  let unchanged = 0;
  let forget = (): void => {};
  const put = (lineFor: (isShort: boolean) => string): void => {
    const time = clockOf(now());
    const [long, width] = [`${style.dim(time)} ${lineFor(false)}`, columns()];
    if (width === undefined || widthOf(long) <= width) print(long);
    else print(wrap(`${style.dim(time)} ${lineFor(true)}`, width, ' '.repeat(time.length + 1)));
  };
  const counted = (): string => {
    const text = unchanged === 0 ? '' : style.dim(`(+${unchanged} without a change)`);
    unchanged = 0;
    forget();
    return text;
  };
  const report = (): void => {
    const text = counted();
    put(() => text);
  };
  const count = (): void => {
    unchanged += 1;
    if (unchanged === 1) forget = later(untilCounted, report);
  };
  return (hop) => {
    const ofLog = log(hop);
    const line = (isShort: boolean) => (ofLog === undefined ? lineOf(hop, style, isShort) : ofLog.line);
    if (line(false) === undefined) return;
    const isUnchanged = isWithoutChange(hop);
    if (isUnchanged && !all) return count();
    const more = hop.kind === 'delivered' ? counted() : '';
    const paint = isUnchanged ? style.dim : (text: string) => text;
    put((isShort) => [paint(line(isShort) ?? ''), ...(more === '' ? [] : [more])].join(' '));
  };
}

/** `09:05:07`, by the clock on the wall. */
function clockOf(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((one) => String(one).padStart(2, '0')).join(':');
}
