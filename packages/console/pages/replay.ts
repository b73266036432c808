import { type Filter, filterOf, notReplayed } from '../model/filters.ts';
import type { Selection } from '../model/replaying.ts';
import type { DeadLetterState, Plan } from '../model/types.ts';
import { api, type EventsPage } from './api.ts';
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
  const refused = notReplayed(filter);
  const count = async (): Promise<EventsPage> =>
    refused === undefined ? api.dryRun({ ...selection, limit: listed }) : { events: [] };
  const found = useAsked<EventsPage>(count, [JSON.stringify(selection), refused]);
  const [planned, setPlanned] = useState<Plan & { readonly of: string }>();
  const [rate, setRate] = useState('50');
  const progress = useRun();
  // The answer to another choice may still be there.
  const counted = refused === undefined ? found.value : undefined;
  const events = counted?.events ?? [];
  const isCurrent = planned?.of === JSON.stringify(selection);
  const plan = async (): Promise<void> =>
    setPlanned({ of: JSON.stringify(selection), ...(await api.plan({ ...selection, limit: 100 })) });
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
          </select><//>
        ${refused ? html`<p class="notice bad" role="alert">${refused}</p>` : null}<//></li>
      <li><${Panel} title="2. Count" note=${counted ? countOf(counted) : ''}>
        ${found.error ? html`<${Notice} error=${found.error} what="these events" />` : null}
        ${counted && events.length === 0 ? html`<${Empty}>No event fits.<//>` : null}
        ${events.length > 0 ? html`<${Sample} page=${counted} />` : null}<//></li>
      <li><${Panel} title="3. Plan" note="asks the functions what they would write, and writes nothing"
        actions=${html`<${Act} action="plan" off=${events.length === 0} work=${plan}>Plan<//>`}>
        ${isCurrent ? html`<${First} of=${planned} among=${counted} />` : null}
        ${isCurrent ? html`<${Planned} plan=${planned} />` : html`<${Empty}>Not planned yet. A plan of no writes is the good case; functions that sleep are woken for it.<//>`}<//></li>
      <li><${Panel} title="4. Run" note=${`${events.length}${counted?.next ? '+' : ''} events`}>
        <div class="run"><label>Events a second <input type="number" min="0.1" max="1000" step="any" value=${rate}
            onInput=${(event: InputEvent) => setRate((event.target as HTMLInputElement).value)} /></label>
          <${Act} action="replay" kind="main" off=${events.length === 0 || progress.state === 'running'}
            work=${() => run({ ...selection, rate: Number(rate) }, { of: events.length, isMore: counted?.next !== undefined })}>Run<//>
          <${Act} off=${progress.state !== 'running'} work=${stop}>Stop<//>
          <${Act} action="replay" off=${progress.state !== 'stopped'} work=${() => run(progress.rest ?? {}, progress, progress)}>Resume<//></div>
        <${Progress} /><//></li>
    </ol>`;
}

function selectionOf(filter: Filter, letters: string): Selection {
  return { ...filter, ...(letters !== '' && { deadLetters: letters }) };
}

/** Of which events a plan is that is not of all. */
function First({ of: { cut, events }, among }: { readonly of: Plan; readonly among: EventsPage | undefined }) {
  if (cut !== true || among === undefined) return null;
  return html`<p class="note">Of the first ${events} of ${countOf(among)}.</p>`;
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
