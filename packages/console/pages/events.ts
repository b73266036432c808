import { changesOf } from '../model/changes.ts';
import { type Filter, filterOf } from '../model/filters.ts';
import { isWanted, predecessorsOf } from '../model/narrow.ts';
import { mergedWith, type Row, rowsOf } from '../model/rows.ts';
import type { Change, Gap, RecordedEvent } from '../model/types.ts';
import { type ApiError, api } from './api.ts';
import { errorOf } from './asked.ts';
import { deliveries, noDeliveries, wantDeliveries } from './deliveries.ts';
import { EventCells, GapCells, heads } from './event-cells.ts';
import { html, useEffect, useMemo, useRef, useState } from './html.ts';
import { isPaused, tail, togglePause, waiting } from './live.ts';
import { FilterBar, Toggle } from './parts/filter-bar.ts';
import { Empty, Loading, Notice } from './parts/notice.ts';
import { Title } from './parts/panel.ts';
import { VirtualList } from './parts/virtual-list.ts';
import { route, setQuery } from './router.ts';

interface Listed {
  readonly events: readonly RecordedEvent[];
  readonly next?: string | undefined;
  readonly error?: ApiError;
  readonly isLoading: boolean;
}

/** All events, newest first, with what they changed and what came of them. */
export function EventsPage() {
  const filter = filterOf(route.value.query);
  const { listed, gaps, more } = useEvents(filter);
  const known = deliveries.value;
  const rows = useMemo(() => {
    const events = listed.events.filter((event) => isWanted(event, filter, known.get(event.seq)));
    return rowsOf(events, Object.keys(filter).length === 0 ? gaps : []);
  }, [listed.events, gaps, JSON.stringify(filter), filter.only === undefined ? undefined : known]);
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
      : html`<${EventCells} event=${row.event} changes=${changes(row.event)} tries=${known.get(row.event.seq)} />`;
  };
  return html`<${Title} title="Events" note=${`${rows.length.toLocaleString('en')}${listed.next ? '+' : ''} listed`}
      actions=${html`<button type="button" aria-pressed=${isPaused.value ? 'true' : 'false'} onClick=${togglePause}>
        ${isPaused.value ? `Resume (${waiting.value.length} new)` : 'Pause'}</button>`} />
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
        : stateOf(listed)
    }`;

  function onRange(first: number, last: number): void {
    const seen = rows.slice(first, last + 1).flatMap((row) => (row.row === 'event' ? [row.event] : []));
    wantDeliveries(seen);
    if (last > rows.length - 200) more();
  }
}

function stateOf({ isLoading, error }: Listed) {
  if (isLoading) return html`<${Loading} what="events" />`;
  return error ? null : html`<${Empty}>No event fits this filter.<//>`;
}

function keyOf(row: Row | undefined): string | number {
  if (row === undefined) return 'none';
  return row.row === 'gap' ? `gap ${row.gap.from}` : row.event.seq;
}

/** The events of a filter, page by page, with what comes meanwhile in front. */
function useEvents(filter: Filter) {
  const [listed, setListed] = useState<Listed>({ events: [], isLoading: true });
  const [gaps, setGaps] = useState<readonly Gap[]>([]);
  const isBusy = useRef(false);
  const { only: _, ...asked } = filter;
  const wanted = JSON.stringify(asked);
  useEffect(() => {
    setListed({ events: [], isLoading: true });
    api.events(asked, 300).then(
      ({ events, next }) => setListed({ events, next, isLoading: false }),
      (error: unknown) => setListed({ events: [], error: errorOf(error), isLoading: false }),
    );
    api.gaps().then(setGaps, () => undefined);
  }, [wanted]);
  const news = tail.value;
  useEffect(() => {
    setListed((now) => {
      const top = now.events[0]?.seq ?? 0;
      const fresh = now.isLoading ? [] : news.filter((event) => event.seq > top && isWanted(event, asked, undefined));
      return fresh.length === 0 ? now : { ...now, events: mergedWith(now.events, fresh) };
    });
  }, [news, listed.isLoading]);
  const more = (): void => {
    if (isBusy.current || listed.next === undefined) return;
    isBusy.current = true;
    api.more(listed.next.replace(/limit=\d+/, 'limit=1000')).then(
      ({ events, next }) => {
        isBusy.current = false;
        setListed((now) => ({ ...now, events: mergedWith(now.events, events), next }));
      },
      () => {
        isBusy.current = false;
      },
    );
  };
  return { listed, gaps, more };
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
