import { changesOf } from '../model/changes.ts';
import { type Filter, filterOf } from '../model/filters.ts';
import { isShown, predecessorsOf } from '../model/narrow.ts';
import { type Row, rowsOf } from '../model/rows.ts';
import type { Change, RecordedEvent } from '../model/types.ts';
import { deliveries, noDeliveries, Silence, useLook, useSilence, wantDeliveries } from './deliveries.ts';
import { EventCells, GapCells, heads } from './event-cells.ts';
import { html, useEffect, useMemo, useState } from './html.ts';
import { type Listed, useEvents } from './listed.ts';
import { FilterBar, Toggle } from './parts/filter-bar.ts';
import { Empty, Loading, Notice } from './parts/notice.ts';
import { Title } from './parts/panel.ts';
import { VirtualList } from './parts/virtual-list.ts';
import { clockOf } from './parts/words.ts';
import { route, setQuery } from './router.ts';
import { Pause } from './tail.ts';

/** With one of the toggles on: as many rows as are looked for, and the events among which they are, both once more for each further look. */
const enough = 100;
const furthest = 3000;

/** All events, newest first, with what they changed and what came of them. */
export function EventsPage() {
  const filter = filterOf(route.value.query);
  const { listed, gaps, more } = useEvents(filter);
  const known = deliveries.value;
  const rows = useMemo(() => {
    const events = listed.events.filter(({ seq }) => isShown(filter.only, known.get(seq)));
    return rowsOf(events, Object.keys(filter).length === 0 ? gaps : []);
  }, [listed.events, gaps, JSON.stringify(filter), filter.only === undefined ? undefined : known]);
  const search = useSearch(listed, { isOn: filter.only !== undefined, found: rows.length, more });
  const isSilent = useSilence();
  const before = useMemo(() => predecessorsOf(listed.events), [listed.events]);
  const changes = useMemo(() => remembered(before), [before]);
  const only = (what: string) => (): void => setQuery({ ...filter, only: filter.only === what ? '' : what });
  const madeOf = (index: number): readonly unknown[] => {
    const row = rows[index];
    return row?.row === 'event' ? [row.event, before.get(row.event.seq), known.get(row.event.seq)] : [row?.gap];
  };
  const cells = (index: number): unknown => {
    const row = rows[index];
    if (row === undefined) return null;
    return row.row === 'gap'
      ? html`<${GapCells} gap=${row.gap} />`
      : html`<${EventCells} event=${row.event} previous=${before.get(row.event.seq)} changes=${changes(row.event)}
          tries=${known.get(row.event.seq)} />`;
  };
  return html`<${Title} title="Events" note=${`${rows.length.toLocaleString('en')}${listed.next ? '+' : ''} listed`}
      actions=${html`<${Pause} />`} />
    <${FilterBar} filter=${filter} onFilter=${(next: Filter) => setQuery(next)}>
      <${Toggle} isOn=${filter.only === 'changes'} onToggle=${only('changes')}>changed something<//>
      <${Toggle} isOn=${filter.only === 'failed'} onToggle=${only('failed')}>failed<//>
    <//>
    ${listed.error ? html`<${Notice} error=${listed.error} what="events" />` : null}
    ${noDeliveries.value ? html`<p class="notice">Outcomes are empty: ${noDeliveries.value}</p>` : null}
    ${
      rows.length > 0
        ? html`<${VirtualList} count=${rows.length} rowHeight=${30} label="Events" heads=${heads}
      row=${cells} keyOf=${(index: number) => keyOf(rows[index])} madeOf=${madeOf} onRange=${onRange} />`
        : stateOf(listed, search)
    }
    ${isSilent && search.isOn ? html`<${Silence} />` : html`<${Searched} search=${search} />`}`;

  function onRange(first: number, last: number): void {
    const seen = rows.slice(first, last + 1).flatMap((row) => (row.row === 'event' ? [row.event] : []));
    wantDeliveries(search.isOn ? [...seen, ...listed.events.slice(0, 200)] : seen);
    if (!search.isOn && last > rows.length - 200) more();
  }
}

function stateOf({ isLoading, error }: Listed, { isOn, isOver }: Search) {
  if (isLoading) return html`<${Loading} what="events" />`;
  return error || (isOn && !isOver) ? null : html`<${Empty}>No event fits this filter.<//>`;
}

interface Search {
  readonly isOn: boolean;
  /** Nothing more is looked at by itself. */
  readonly isOver: boolean;
  readonly sentence: string;
  /** Looks at older events too; absent at the end of the log. */
  readonly further?: () => void;
}

interface SearchParts {
  readonly isOn: boolean;
  readonly found: number;
  readonly more: () => void;
}

/** Looks among older and older events, until enough fit or there are no more. */
function useSearch(listed: Listed, { isOn, found, more }: SearchParts): Search {
  const [turns, setTurns] = useState(1);
  const { events, next, error, isLoading } = listed;
  const among = useMemo(() => events.slice(0, turns * furthest), [events, turns]);
  const { read, unread, isDone } = useLook(among, isOn);
  const isMore = next !== undefined && found < turns * enough && events.length < turns * furthest;
  useEffect(() => {
    if (!isOn) return;
    wantDeliveries(events.slice(0, 200));
    if (isDone && isMore && error === undefined) more();
  }, [isOn, isDone, isMore, events]);
  const isOver = !isLoading && isDone && !isMore;
  const hasOlder = next !== undefined || events.length > among.length;
  const count = read.toLocaleString('en');
  const all = hasOlder ? `Looked at the newest ${count} events` : `Looked at all ${count} events`;
  const rest = unread > 0 ? `; ${unread} more have too many answers to read` : '';
  const back = hasOlder && among.length > 0 ? `, back to ${clockOf(among.at(-1)?.time ?? '')}` : '';
  return {
    isOn,
    isOver,
    sentence: isOver ? `${all}${back}${rest}.` : `Looking at what became of events: ${count} so far.`,
    ...(isOver && hasOlder && { further: () => setTurns(turns + 1) }),
  };
}

/** How far the page has looked for events that fit. */
function Searched({ search: { isOn, sentence, further } }: { readonly search: Search }) {
  if (!isOn) return null;
  return html`<p class="note" role="status">${sentence}
    ${further ? html` <button type="button" onClick=${further}>Look further</button>` : null}</p>`;
}

function keyOf(row: Row | undefined): string | number {
  if (row === undefined) return 'none';
  return row.row === 'gap' ? `gap ${row.gap.from}` : row.event.seq;
}

/** What an event changed against the one before it about the same object; computed when its row is first seen. */
function remembered(before: ReadonlyMap<number, RecordedEvent>) {
  const known = new Map<number, readonly Change[]>();
  return (event: RecordedEvent): readonly Change[] | undefined => {
    const previous = before.get(event.seq);
    if (previous === undefined) return undefined;
    const changes = known.get(event.seq) ?? changesOf(previous.data, event.data);
    known.set(event.seq, changes);
    return changes;
  };
}
