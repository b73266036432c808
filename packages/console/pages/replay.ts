import { type Filter, filterOf } from '../model/filters.ts';
import type { DeadLetterState, PlannedEvent } from '../model/types.ts';
import { api, type EventsPage, type Selection } from './api.ts';
import { useAsked } from './asked.ts';
import { ObjectLink } from './event-cells.ts';
import { html, useState } from './html.ts';
import { Act } from './parts/buttons.ts';
import { FilterBar } from './parts/filter-bar.ts';
import { Empty, Notice } from './parts/notice.ts';
import { Panel, Table, Title } from './parts/panel.ts';
import { Time } from './parts/words.ts';
import { Planned } from './planned.ts';
import { Progress, run, stop, useRun } from './replay-run.ts';
import { route, setQuery } from './router.ts';

const listed = 1000;

/** Sends events again, step by step: choose, count, see what would be written, run. */
export function ReplayPage() {
  const { query } = route.value;
  const filter = filterOf(query);
  const letters = query.get('deadLetters') ?? '';
  const selection = selectionOf(filter, letters);
  const found = useAsked<EventsPage>(() => api.dryRun({ ...selection, limit: listed }), [JSON.stringify(selection)]);
  const [plans, setPlans] = useState<{ readonly of: string; readonly plans: readonly PlannedEvent[] }>();
  const [rate, setRate] = useState('50');
  const progress = useRun();
  const events = found.value?.events ?? [];
  const isCurrent = plans?.of === JSON.stringify(selection);
  const plan = async (): Promise<void> =>
    setPlans({ of: JSON.stringify(selection), plans: await api.plan({ ...selection, limit: 100 }) });
  const choose = (event: Event): void =>
    setQuery({ ...filter, deadLetters: (event.target as HTMLSelectElement).value as DeadLetterState | '' });
  return html`<${Title} title="Replay" note="Sends recorded events to the Broker again. Functions look at the cluster as it is now." />
    <ol class="steps">
      <li><${Panel} title="1. Choose" note="nothing chosen means all events">
        <${FilterBar} filter=${filter} onFilter=${(next: Filter) => setQuery({ ...next, deadLetters: letters })}>
          <label class="hidden" for="letters">Of which dead letters</label>
          <select id="letters" value=${letters} onChange=${choose}>
            <option value="">events</option><option value="open">open dead letters</option>
            <option value="sent-again">dead letters sent again</option><option value="discarded">discarded dead letters</option>
          </select><//><//></li>
      <li><${Panel} title="2. Count" note=${found.value ? countOf(found.value) : ''}>
        ${found.error ? html`<${Notice} error=${found.error} what="these events" />` : null}
        ${found.value && events.length === 0 ? html`<${Empty}>No event fits.<//>` : null}
        ${events.length > 0 ? html`<${Sample} page=${found.value} />` : null}<//></li>
      <li><${Panel} title="3. Plan" note="asks the functions what they would write, and writes nothing"
        actions=${html`<${Act} action="plan" off=${events.length === 0} work=${plan}>Plan<//>`}>
        ${isCurrent ? html`<${Planned} plans=${plans.plans} />` : html`<${Empty}>Not planned yet. A plan of no writes is the good case; functions that sleep are woken for it.<//>`}<//></li>
      <li><${Panel} title="4. Run" note=${`${events.length}${found.value?.next ? '+' : ''} events`}>
        <div class="run"><label>Events a second <input type="number" min="0.1" max="1000" step="any" value=${rate}
            onInput=${(event: InputEvent) => setRate((event.target as HTMLInputElement).value)} /></label>
          <${Act} action="replay" kind="main" off=${events.length === 0 || progress.state === 'running'}
            work=${() => run({ ...selection, rate: Number(rate) }, { of: events.length, isMore: found.value?.next !== undefined })}>Run<//>
          <${Act} off=${progress.state !== 'running'} work=${stop}>Stop<//>
          <${Act} action="replay" off=${progress.state !== 'stopped'} work=${() => run(progress.rest ?? {}, progress, progress)}>Resume<//></div>
        <${Progress} /><//></li>
    </ol>`;
}

function selectionOf(filter: Filter, letters: string): Selection {
  const { only: _, changed: __, q: ___, ...words } = filter;
  return { ...words, ...(letters !== '' && { deadLetters: letters }) };
}

function countOf({ events, next }: EventsPage): string {
  return next === undefined ? `${events.length} events` : `more than ${events.length} events`;
}

function Sample({ page }: { readonly page: EventsPage | undefined }) {
  const first = (page?.events ?? []).slice(0, 8);
  const others = (page?.events.length ?? 0) - first.length;
  return html`<${Table} label="The first events" heads=${['time', 'type', 'object']}
      rows=${first.map((event) => [html`<a data-row href=${`#/events/${event.seq}`}><${Time} at=${event.time} isLong /></a>`, event.type, html`<${ObjectLink} of=${event} />`])} />
    ${others > 0 ? html`<p class="note">and ${others} more</p>` : null}`;
}
