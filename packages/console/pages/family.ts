import { howOf } from '../model/causes.ts';
import { verbOf } from '../model/objects.ts';
import { hashOf } from '../model/route.ts';
import type { Brief, Cause, Chain, Effect } from '../model/types.ts';
import { Silence, useSilence } from './deliveries.ts';
import { ObjectLink } from './event-cells.ts';
import { html } from './html.ts';
import { Time } from './parts/words.ts';

/** What made an event, above it; what functions wrote because of it, beneath it, three levels deep. */
export function Family({ event, chain }: { readonly event: Brief; readonly chain: Chain }) {
  const { causes, effects, isCut } = chain;
  return html`<ul class="tree" aria-label="Cause and effects">
    <li>${causes.length === 0 ? html`<span class="note">No write of Knudge made this event: it came from outside, or its cause is not in the log.</span>` : null}
      ${causes.map((cause) => html`<p class="cause"><${CauseOf} cause=${cause} /></p>`)}
      <ul><li class="own"><span aria-current="true"><${Line} event=${event} /></span>
        <${Effects} of=${effects} level=${1} /></li></ul></li>
    ${isCut ? html`<li><span class="note">There is more than is shown.</span></li>` : null}
  </ul>`;
}

/** What a function did that led to an event; what it did that for comes behind it. */
export function How({ of }: { readonly of: Cause }) {
  const { before, did } = howOf(of);
  return html`${before} ${of.function ? html`<b>${of.function}</b>` : 'A function'} ${did}, because of`;
}

function CauseOf({ cause }: { readonly cause: Cause }) {
  const { event } = cause;
  const what = html`<span class="note"><${How} of=${cause} /></span>`;
  return event === undefined
    ? html`${what} <span class="note">an event that the log does not have</span>`
    : html`${what} <${Line} event=${event} isLink />`;
}

const deepest = 3;

function Effects({ of, level }: { readonly of: readonly Effect[]; readonly level: number }) {
  if (of.length === 0) return level === 1 ? html`<${Nothing} />` : null;
  if (level > deepest) return html`<span class="note"> and what came of these</span>`;
  return html`<ul>${of.map((effect) => html`<li><${OneEffect} effect=${effect} /><${Effects} of=${effect.effects} level=${level + 1} /></li>`)}</ul>`;
}

function Nothing() {
  return useSilence() ? html`<${Silence} />` : html`<p class="note">Nothing was written because of it.</p>`;
}

function OneEffect({ effect: { function: name, write, event } }: { readonly effect: Effect }) {
  // Of an object that a function has made, also what others did to it since.
  const since = write.do === 'create' && event !== undefined && verbOf(event) !== 'add' ? ', and since then' : '';
  const did = html`<span class="note"><b>${name}</b> ${write.do}${since}</span>`;
  if (event !== undefined) return html`${did} <${Line} event=${event} isLink />`;
  const { kind, namespace, name: object } = write;
  return html`${did} <b>${kind}</b> ${namespace ? `${namespace}/` : ''}${object} <span class="note">(no event shows it)</span>`;
}

function Line({ event, isLink = false }: { readonly event: Brief; readonly isLink?: boolean }) {
  const head = html`<${Time} at=${event.time} /> ${verbOf(event)}`;
  return html`<span class="relative">${isLink ? html`<a data-row href=${hashOf(['events', event.seq])}>${head}</a>` : head}
    ${' '}<${ObjectLink} of=${event} /></span>`;
}
