import { hashOf } from '../model/route.ts';
import { DeadLettersPage } from './dead-letters.ts';
import { DoctorPage } from './doctor.ts';
import { EventPage } from './event.ts';
import { EventsPage } from './events.ts';
import { FlowPage } from './flow.ts';
import { FunctionsPage } from './functions.ts';
import { Help } from './help.ts';
import { html, useEffect, useLayoutEffect, useRef } from './html.ts';
import { isHelpOpen } from './keyboard.ts';
import { type Connection, connection, isPaused } from './live.ts';
import { ObjectPage } from './object.ts';
import { said } from './parts/buttons.ts';
import { ReplayPage } from './replay.ts';
import { ResyncPage } from './resync.ts';
import { route } from './router.ts';

const pages: readonly (readonly [string, string])[] = [
  ['', 'Flow'],
  ['events', 'Events'],
  ['dead-letters', 'Dead letters'],
  ['replay', 'Replay'],
  ['doctor', 'Doctor'],
  ['resync', 'Resync'],
  ['functions', 'Functions'],
];

export function App() {
  const [page = ''] = route.value.parts;
  const place = route.value.parts.join('/');
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // Before anybody can go on: a moment later it would take the focus away from where a person has gone.
  useLayoutEffect(() => {
    document.title = `${place || 'flow'} · Knudge`;
    if (!isFirst.current) main.current?.querySelector('h1')?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [place]);
  return html`
    <a class="skip" href="#main" onClick=${skip}>To the content</a>
    <nav aria-label="Pages">
      <a class="brand" href="#/" aria-label="Knudge, flow"><img src="icon.svg" alt="" width="22" height="22" /> Knudge</a>
      <ul>${pages.map(
        ([name, title]) => html`<li><a href=${hashOf(name === '' ? [] : [name])}
        aria-current=${name === page ? 'page' : undefined}>${title}</a></li>`,
      )}</ul>
      <${State} />
    </nav>
    <main id="main" ref=${main} tabindex="-1">${connection.value === 'ended' ? html`<${Ended} />` : null}${shown()}</main>
    <${Said} />
    <${Help} />`;

  function skip(event: Event): void {
    event.preventDefault();
    main.current?.focus();
  }
}

function shown() {
  const [page = '', ...rest] = route.value.parts;
  const [first = '', second = '', third = ''] = rest;
  if (page === 'events' && first !== '') return html`<${EventPage} key=${first} id=${first} />`;
  if (page === 'objects') {
    return html`<${ObjectPage} key=${rest.join('/')} kind=${first} namespace=${second} name=${third} />`;
  }
  const Page = byName[page];
  return Page === undefined
    ? html`<div class="title"><h1 tabindex="-1">There is no such page</h1></div><p class="empty"><a href="#/">To the flow</a></p>`
    : html`<${Page} />`;
}

const byName: Readonly<Record<string, () => unknown>> = {
  '': FlowPage,
  events: EventsPage,
  'dead-letters': DeadLettersPage,
  replay: ReplayPage,
  doctor: DoctorPage,
  resync: ResyncPage,
  functions: FunctionsPage,
};

const words: Readonly<Record<Connection, string>> = {
  connecting: 'connecting',
  live: 'live',
  asking: 'live, asks every 2 s',
  lost: 'the event log does not answer',
  ended: 'session has ended',
};

function Ended() {
  return html`<p class="notice bad" role="alert">Your session has ended. Run <code>npx knudge console</code> for a new address.</p>`;
}

function State() {
  const state = isPaused.value && connection.value !== 'ended' ? 'paused' : words[connection.value];
  const openHelp = (): void => {
    isHelpOpen.value = true;
  };
  return html`<div class="below"><p class=${`state ${isPaused.value ? 'paused' : connection.value}`} role="status">
    <span class="dot" aria-hidden="true"></span>${state}</p>
    <button type="button" aria-label="The keys" title="The keys" onClick=${openHelp}>?</button></div>`;
}

/** The last message about what was done, for eyes and for readers of a screen. */
function Said() {
  const text = said.value;
  useEffect(() => {
    if (text === '') return undefined;
    const timer = setTimeout(() => {
      said.value = '';
    }, 6000);
    return () => clearTimeout(timer);
  }, [text]);
  return html`<div class=${text === '' ? 'said' : 'said shown'} role="status" aria-live="polite">${text}</div>`;
}
