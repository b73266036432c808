import { hashOf } from '../model/route.ts';
import type { Plan, PlannedObject, PlannedWrite } from '../model/types.ts';
import { ObjectLink } from './event-cells.ts';
import { html } from './html.ts';
import { Diff, Places } from './parts/diff.ts';
import { Empty } from './parts/notice.ts';
import { Badge } from './parts/words.ts';

/** What functions would write, object by object, and what that would change: nothing is the good case. */
export function Planned({ plan: { objects, leftOut, failed, answers } }: { readonly plan: Plan }) {
  const writes = objects.reduce((sum, one) => sum + one.writes.length, leftOut);
  const silent = failed.reduce((sum, one) => sum + one.events, 0);
  if (answers === 0) return html`<${Empty}>No function wants this.<//>`;
  return html`<p class="verdict">${
    writes > 0
      ? html`<${Badge} of="open" word=${`${writes} ${writes === 1 ? 'write' : 'writes'}`} /> This is what would be written.`
      : silent === 0
        ? html`<${Badge} of="done" word="0 writes" /> Everything is already as it should be.`
        : null
  } ${silent > 0 ? html`<${Badge} of="failed" word=${`${silent} not planned`} />` : null}</p>
  <ul class="plans">${objects.map((object) => html`<${OneObject} object=${object} />`)}
    ${failed.map(
      ({ function: name, failed: why, ...led }) => html`<li><p><b>${name}</b> <${Led} ...${led} /></p>
      <p class="note">${why}</p></li>`,
    )}</ul>
  <${LeftOut} count=${leftOut} what="write" />`;
}

function OneObject({ object }: { readonly object: PlannedObject }) {
  const { kind, functions, writes, events, last } = object;
  return html`<li><p><${ObjectLink} of=${object} /> <span class="note">by ${functions.join(', ')}</span> <${Led} events=${events} last=${last} /></p>
    ${writes.map((write) => html`<${Write} write=${write} kind=${kind} />`)}</li>`;
}

/** The events that led to it; nothing, where it was asked for and not recorded. */
function Led({ events, last }: Pick<PlannedObject, 'events' | 'last'>) {
  if (last === 0) return null;
  const link = html`<a href=${hashOf(['events', last])}>event ${last}</a>`;
  return html`<span class="note">${events === 1 ? html`because of ${link}` : html`because of ${events} events, the last is ${link}`}</span>`;
}

function Write({ write, kind }: { readonly write: PlannedWrite; readonly kind: string }) {
  const { do: verb, leftOut, refusal } = write;
  return html`<div class="write"><p class="verb">${verb}</p>
    ${refusal === undefined ? null : html`<p><${Badge} of="failed" word="refused" /> The API server refuses to try it: ${refusal}</p>`}
    <${Changes} write=${write} />
    ${kind === 'Secret' && verb !== 'delete' ? html`<p class="note">The values of a Secret are not shown.</p>` : null}
    <${LeftOut} count=${leftOut} what="change" /></div>`;
}

/** Changes that are more than this are folded: their places stand above them. */
const few = 4;

function Changes({ write: { changes, propagation, leftOut } }: { readonly write: PlannedWrite }) {
  if (propagation !== undefined) return html`<p class="note">${ends[propagation]}</p>`;
  if (changes === undefined) return html`<p class="note">The function does not say what this would change.</p>`;
  if (changes.length === 0 && leftOut > 0) return null;
  if (changes.length <= few) return html`<${Diff} changes=${changes} />`;
  return html`<details class="folded"><summary><${Places} changes=${changes} most=${few} /></summary>
    <${Diff} changes=${changes} /></details>`;
}

const ends = {
  Background: 'The object goes, and after it what it owns.',
  Foreground: 'The object goes when all that it owns has gone.',
} as const;

function LeftOut({ count, what }: { readonly count: number; readonly what: string }) {
  if (count === 0) return null;
  return html`<p class="note">${count} more ${what}${count === 1 ? ' is' : 's are'} left out: a page cannot show them all.</p>`;
}
