import { changesOf } from '../model/changes.ts';
import { curlOf, fixtureOf } from '../model/copies.ts';
import { hasObject, managerOf, metadataOf, verbOf } from '../model/objects.ts';
import { throttled } from '../model/throttle.ts';
import type { Chain, Delivery, Plan, RecordedEvent } from '../model/types.ts';
import { api } from './api.ts';
import { type Asked, useAgainAt, useAsked } from './asked.ts';
import { ObjectLink } from './event-cells.ts';
import { Family } from './family.ts';
import { html, useEffect, useMemo, useState } from './html.ts';
import { letterChanges, tail } from './live.ts';
import { Act, Copy, said } from './parts/buttons.ts';
import { Diff } from './parts/diff.ts';
import { Empty, Loading, Notice } from './parts/notice.ts';
import { Panel, Title } from './parts/panel.ts';
import { Time } from './parts/words.ts';
import { Planned } from './planned.ts';
import { Shadow } from './shadow.ts';
import { Waterfall } from './waterfall.ts';

/** One event: where it came from, what became of it, what it changed. */
export function EventPage({ id }: { readonly id: string }) {
  const asked = useAsked(() => api.event(id), [id]);
  const { value: event, error } = asked;
  if (error !== undefined)
    return html`<${Title} title=${`Event ${id}`} /><${Notice} error=${error} what="this event" />`;
  if (event === undefined) return html`<${Title} title=${`Event ${id}`} /><${Loading} what="the event" />`;
  return html`<${Known} event=${event} />`;
}

function Known({ event }: { readonly event: RecordedEvent }) {
  const tries = useAsked(() => api.deliveriesOf(event.seq), [event.seq]);
  const chain = useAsked<Chain>(() => api.chain(event.seq), [event.seq]);
  const before = useAsked(async () => ({ event: await api.before(event) }), [event.seq]);
  const letters = useAsked(() => api.lettersOf(event), [event.seq]);
  useAgainAt(letters, letterChanges.value);
  const [plan, setPlan] = useState<Plan>();
  const newest = tail.value[0]?.seq;
  // Not a delay that each event begins anew: under load it would never end.
  const soon = useMemo(
    () =>
      throttled(400, () => {
        tries.again();
        chain.again();
      }),
    [event.seq],
  );
  useEffect(soon.call, [soon, newest, letterChanges.value]);
  useEffect(() => soon.end, [soon]);
  const one = { after: event.seq - 1, before: event.seq + 1, id: event.id };
  const sendAgain = async (): Promise<void> => {
    const { sent } = await api.replay(one);
    said.value = sent === 1 ? 'Sent again: the new tries appear in the waterfall.' : 'The Broker did not take it.';
    tries.again();
  };
  const actions = html`<${Copy} text=${() => curlOf(event)}>Copy as curl<//>
    <${Copy} text=${() => fixtureOf(event)}>Copy as fixture<//>
    <${Act} action="plan" work=${async () => setPlan(await api.plan(one))}>Plan<//>
    <${Act} action="replay" kind="main" work=${sendAgain}>Send again<//>`;
  return html`<${Title} title=${`Event ${event.seq}`} actions=${actions}
      note=${html`<span class="verb">${verbOf(event)}</span> <${ObjectLink} of=${event} /> · <${Time} at=${event.time} isLong />`} />
    <div class="columns">
      <div>
        <${Panel} title="Waterfall" note="milliseconds since it happened">
          ${tries.error ? html`<${Notice} error=${tries.error} what="what functions answered" />` : null}
          ${letters.error ? html`<${Notice} error=${letters.error} what="its dead letters" />` : null}
          <${Waterfall} event=${event} tries=${tries.value ?? []} letters=${letters.value ?? []} /><//>
        ${plan ? html`<${Panel} title="Plan" note="what functions would write as things are now"><${Planned} plan=${plan} /><//>` : null}
        <${WhatChanged} event=${event} before=${before} />
        <${Shadow} event=${event.seq} functions=${functionsOf(tries.value ?? [])} />
      </div>
      <div>
        <${Panel} title="Cause and effects">
          ${chain.error ? html`<${Notice} error=${chain.error} what="causes and effects" />` : null}
          ${chain.value ? html`<${Family} event=${event} chain=${chain.value} />` : null}<//>
        <${Attributes} event=${event} previous=${before.value?.event} />
      </div>
    </div>`;
}

function functionsOf(tries: readonly Delivery[]): readonly string[] {
  return [...new Set(tries.map((one) => one.function))].sort();
}

interface Beside {
  readonly event: RecordedEvent;
  /** The event before it about the same object. */
  readonly before: Asked<{ readonly event: RecordedEvent | undefined }>;
}

function WhatChanged({ event, before }: Beside) {
  const previous = before.value?.event;
  const note = previous ? html`against <a href=${`#/events/${previous.seq}`}>event ${previous.seq}</a>` : null;
  return html`<${Panel} title="What changed" note=${note}>
    ${before.error ? html`<${Notice} error=${before.error} what="the event before" />` : null}
    ${before.value ? shownChanges(event, previous) : null}
    <details class="data"><summary>All data</summary>
      <pre tabindex="0" aria-label="Data as JSON">${JSON.stringify(folded(event.data), null, 2) ?? 'This event has no data.'}</pre></details><//>`;
}

function shownChanges(event: RecordedEvent, previous: RecordedEvent | undefined) {
  if (event.kind === undefined) return html`<${Empty}>This event is not about one object.<//>`;
  if (!hasObject(event))
    return html`<${Empty}>This event names the object and does not carry it: functions read it.<//>`;
  if (previous === undefined)
    return html`<${Empty}>The log has no event before this one that carries the same object.<//>`;
  return html`<${Diff} changes=${changesOf(folded(previous.data), folded(event.data))} />`;
}

/** Managed fields are long, and say what the line "by" says. */
function folded(data: unknown): unknown {
  return JSON.parse(
    JSON.stringify(data ?? null, (key, value: unknown) => (key === 'managedFields' ? '[folded]' : value)),
  );
}

function Attributes({ event, previous }: { readonly event: RecordedEvent; readonly previous?: RecordedEvent }) {
  const rows = {
    id: event.id,
    source: event.source,
    type: event.type,
    recorded: event.recorded,
    by: managerOf(event, previous),
    'resource version': metadataOf(event).resourceVersion ?? '',
    ...event.extensions,
  };
  return html`<${Panel} title="Attributes"><dl class="facts">
    ${Object.entries(rows)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}</dl><//>`;
}
