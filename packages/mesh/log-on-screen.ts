import type { Hop } from './hop.ts';
import { isOfLog, type Style } from './screen.ts';

/** What the screen says of a hop to the event log: a line, nothing, or that the hop is no concern of the log. */
type Said = { readonly line: string | undefined } | undefined;

/**
 * An event log that gives no answer is reported once, and again when it answers: it gets every event, so a line for each would
 * bury what the functions do meanwhile.
 */
export function createLogOnScreen({ bad, odd }: Style): (hop: Hop) => Said {
  const state = { isAway: false, missed: 0 };
  const answered = (): string | undefined => {
    const { isAway, missed } = state;
    Object.assign(state, { isAway: false, missed: 0 });
    if (!isAway) return undefined;
    return `event-log answers again${missed === 0 ? '' : `; ${bad(`it has not got ${missed} events`)}`}`;
  };
  const gaveNone = (why: string): string | undefined => {
    if (state.isAway) return undefined;
    state.isAway = true;
    return odd(`event-log gives no answer (${why}): its events are sent again, and no function waits for it`);
  };
  return (hop) => {
    if ((hop.kind !== 'delivered' && hop.kind !== 'dropped') || !isOfLog(hop.trigger)) return undefined;
    if (hop.kind === 'dropped') {
      state.missed += 1;
      return { line: gaveNone(hop.why) };
    }
    if (isAnswer(hop.status)) return { line: answered() };
    return [0, 502, 504].includes(hop.status) ? { line: gaveNone(hop.why ?? String(hop.status)) } : undefined;
  };
}

/** The channel before the log answers 202 at once, whether the log runs or not. */
function isAnswer(status: number): boolean {
  return status >= 200 && status < 300 && status !== 202;
}
