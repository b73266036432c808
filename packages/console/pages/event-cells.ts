import { managerOf, verbOf } from '../model/objects.ts';
import { kindOf, lastTries } from '../model/outcomes.ts';
import { hashOf } from '../model/route.ts';
import type { Change, Delivery, Gap, RecordedEvent } from '../model/types.ts';
import { durationOf } from '../model/waterfall.ts';
import { html } from './html.ts';
import { Places } from './parts/diff.ts';
import { Badge, clockOf, Time } from './parts/words.ts';

export const heads = ['time', 'what', 'object', 'changed', 'by', 'outcome', 'writes', 'ms'] as const;

interface Cells {
  readonly event: RecordedEvent;
  /** The event before it about the same object. */
  readonly previous: RecordedEvent | undefined;
  readonly changes: readonly Change[] | undefined;
  readonly tries: readonly Delivery[] | undefined;
}

/** The cells of one event in the list. */
export function EventCells({ event, previous, changes, tries }: Cells) {
  const answers = lastTries(tries ?? []);
  const writes = answers.reduce((sum, one) => sum + one.writes, 0);
  const ms = Math.max(0, ...answers.map((one) => one.ms));
  return html`<span role="cell" class="time"><a data-row href=${hashOf(['events', event.seq])}
      aria-label=${`event ${event.seq} at ${clockOf(event.time)}`}><${Time} at=${event.time} /></a></span>
    <span role="cell" class="verb">${verbOf(event)}</span>
    <span role="cell" class="object"><${ObjectLink} of=${event} /></span>
    <span role="cell" class="changed">${changes ? html`<${Places} changes=${changes} />` : null}</span>
    <span role="cell" class="by">${managerOf(event, previous, changes)}</span>
    <span role="cell" class="outcome"><${Summary} answers=${answers} /></span>
    <span role="cell" class="number">${answers.length === 0 ? '' : writes}</span>
    <span role="cell" class="number">${answers.length === 0 ? '' : durationOf(ms)}</span>`;
}

/** How the functions answered, each kind once: the table of the event has each of them. */
function Summary({ answers }: { readonly answers: readonly Delivery[] }) {
  const kinds = Map.groupBy(answers, kindOf);
  return (['failed', 'done', 'ignored'] as const).flatMap((kind) => {
    const of = kinds.get(kind);
    return of === undefined
      ? []
      : [html`<${Badge} of=${kind} word=${of.length > 1 ? `${of.length} ${kind}` : kind} />`];
  });
}

/** Events that the log has not kept. */
export function GapCells({ gap }: { readonly gap: Gap }) {
  const number = gap.events === undefined ? 'An unknown number of events' : `${gap.events} events`;
  return html`<span role="cell" class="gap">⚠ ${number} not kept from ${clockOf(gap.from)} to ${clockOf(gap.to)}: ${gap.reason}</span>`;
}

/** An object, with the way to its history; its type, where an event is about no object. */
export function ObjectLink({
  of,
}: {
  readonly of: Partial<Pick<RecordedEvent, 'kind' | 'namespace' | 'name' | 'type'>>;
}) {
  const { kind, namespace = '', name = '', type } = of;
  if (kind === undefined) return html`<span class="note">${type}</span>`;
  return html`<a href=${hashOf(['objects', kind, namespace || '-', name])}><b>${kind}</b> ${namespace ? `${namespace}/` : ''}${name}</a>`;
}
