import { signal } from '@preact/signals';
import { api, type Selection } from './api.ts';
import { html } from './html.ts';
import { Badge } from './parts/words.ts';

interface Run {
  readonly state: 'none' | 'running' | 'stopped' | 'ended';
  readonly sent: number;
  readonly failed: number;
  /** How many were counted; more, where the list did not hold them all. */
  readonly of: number;
  readonly isMore: boolean;
  /** What is left to send. */
  readonly rest?: Selection;
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
  before: Run = none,
): Promise<void> {
  isStopping = false;
  let rest: Selection = selection;
  let { sent, failed } = before;
  const show = (state: Run['state'], why?: string): void => {
    current.value = { state, sent, failed, of, isMore, rest, ...(why !== undefined && { why }) };
  };
  show('running');
  for (;;) {
    try {
      const answer = await api.replay(rest);
      sent += answer.sent;
      failed += answer.failed;
      if (answer.next === undefined) return show('ended');
      rest = { ...selection, next: answer.next };
    } catch (error) {
      return show('stopped', error instanceof Error ? error.message : String(error));
    }
    if (isStopping) return show('stopped');
    show('running');
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
