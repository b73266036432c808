import { signal } from '@preact/signals';
import { after, partIn, type Replayed, type Selection, type Sending } from '../model/replaying.ts';
import { api } from './api.ts';
import { errorOf } from './asked.ts';
import { html } from './html.ts';
import { Badge } from './parts/words.ts';

interface Run extends Sending {
  readonly state: 'none' | 'running' | 'stopped' | 'ended';
  /** How many were counted; more, where the list did not hold them all. */
  readonly of: number;
  readonly isMore: boolean;
  readonly why?: string;
}

const none: Run = { state: 'none', sent: 0, failed: 0, of: 0, isMore: false };
const current = signal<Run>(none);
let isStopping = false;

export function useRun(): Run {
  return current.value;
}

/** Sends page by page until nothing is left, somebody stops it or the event log refuses; goes on from an earlier run. */
export async function run(
  selection: Selection,
  { of, isMore }: Pick<Run, 'of' | 'isMore'>,
  { sent, failed }: Sending = none,
): Promise<void> {
  isStopping = false;
  let now: Sending = { sent, failed, rest: selection };
  const show = (state: Run['state'], why?: string): void => {
    current.value = { state, ...now, of, isMore, ...(why !== undefined && { why }) };
  };
  show('running');
  for (;;) {
    const { part, why } = await sendPage(now.rest ?? {});
    if (part !== undefined) now = after(now, part);
    if (why !== undefined) return show('stopped', why);
    if (now.rest === undefined) return show('ended');
    if (isStopping) return show('stopped');
    show('running');
  }
}

/** One request: what it sent, also before it was refused, so that it is not sent again; and why it was refused. */
async function sendPage(
  selection: Selection,
): Promise<{ readonly part?: Replayed | undefined; readonly why?: string }> {
  try {
    return { part: await api.replay(selection) };
  } catch (error) {
    const { message, answer } = errorOf(error);
    return { part: partIn(answer), why: message };
  }
}

/** The request under way ends by itself within six seconds. */
export function stop(): void {
  isStopping = true;
}

const badges = { running: 'open', stopped: 'discarded', ended: 'done' } as const;

export function Progress() {
  const { state, sent, failed, of, isMore, why } = current.value;
  if (state === 'none') return null;
  const all = isMore ? Math.max(of, sent + failed) : of;
  return html`<div class="progress" role="status">
    <progress max=${Math.max(1, all)} value=${sent + failed} aria-label="Events sent"></progress>
    <p><${Badge} of=${badges[state]} word=${state} /> ${sent} sent, ${failed} refused, of ${isMore ? 'more than ' : ''}${of}
      ${state === 'ended' ? html` · <a href="#/events">See what came of them</a>` : null}</p>
    ${why ? html`<p class="notice bad">${why}</p>` : null}</div>`;
}
