import { type Fold, foldedOf } from '../model/folds.ts';
import { verbOf } from '../model/objects.ts';
import { kindOf, lastTries } from '../model/outcomes.ts';
import { hashOf } from '../model/route.ts';
import type { RecordedEvent } from '../model/types.ts';
import { deliveries } from './deliveries.ts';
import { ObjectLink } from './event-cells.ts';
import { html } from './html.ts';
import { isPaused, tail, togglePause, waitingCount } from './live.ts';
import { Empty } from './parts/notice.ts';
import { Panel } from './parts/panel.ts';
import { Badge, clockOf, Time } from './parts/words.ts';

/** The last events as they come; those that changed nothing are folded. */
export function Tail() {
  const folds = foldedOf(tail.value.slice(0, 120), deliveries.value);
  return html`<${Panel} title="Live" kind="tail" actions=${html`<${Pause} />`}>
    ${folds.length === 0 ? html`<${Empty}>No event has come yet.<//>` : null}
    <ol aria-label="The last events, newest first" tabindex="0">${folds.map((fold) => html`<${Line} key=${fold.key} fold=${fold} />`)}</ol><//>`;
}

/** Holds what comes back, and lets it in again. */
export function Pause() {
  return html`<button type="button" aria-pressed=${isPaused.value ? 'true' : 'false'} onClick=${togglePause}>
    ${isPaused.value ? `Resume (${waitingCount.value} new)` : 'Pause'}</button>`;
}

function Line({ fold }: { readonly fold: Fold }) {
  if (fold.events.length === 1 && fold.events[0] !== undefined)
    return html`<li><${One} event=${fold.events[0]} /></li>`;
  return html`<li class="fold"><details><summary>${fold.events.length} events that changed nothing</summary>
    <ol>${fold.events.map((event) => html`<li key=${event.seq}><${One} event=${event} /></li>`)}</ol></details></li>`;
}

function One({ event }: { readonly event: RecordedEvent }) {
  const answers = lastTries(deliveries.value.get(event.seq) ?? []);
  const kinds = new Set(answers.map(kindOf));
  const kind = (['failed', 'done', 'ignored'] as const).find((one) => kinds.has(one));
  return html`<a data-row href=${hashOf(['events', event.seq])} aria-label=${`event ${event.seq} at ${clockOf(event.time)}`}><${Time} at=${event.time} /></a>${' '}
    <span class="verb">${verbOf(event)}</span> <${ObjectLink} of=${event} /> ${kind ? html`<${Badge} of=${kind} />` : null}`;
}
