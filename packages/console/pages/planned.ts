import { hashOf } from '../model/route.ts';
import type { PlannedEvent, PlannedWrite } from '../model/types.ts';
import { html } from './html.ts';
import { Diff, Places } from './parts/diff.ts';
import { Empty } from './parts/notice.ts';
import { Badge } from './parts/words.ts';

/** What functions would write, event by event, and what that would change: nothing is the good case. */
export function Planned({ plans }: { readonly plans: readonly PlannedEvent[] }) {
  const writes = plans.reduce((sum, one) => sum + one.writes.length + one.leftOut, 0);
  const silent = plans.filter(({ failed }) => failed !== undefined).length;
  if (plans.length === 0) return html`<${Empty}>No function wants this.<//>`;
  return html`<p class="verdict">${
    writes > 0
      ? html`<${Badge} of="open" word=${`${writes} ${writes === 1 ? 'write' : 'writes'}`} /> This is what would be written.`
      : silent === 0
        ? html`<${Badge} of="done" word="0 writes" /> Everything is already as it should be.`
        : null
  } ${silent > 0 ? html`<${Badge} of="failed" word=${`${silent} not planned`} />` : null}</p>
  <ul class="plans">${plans
    .filter(({ writes: of, leftOut, failed }) => of.length + leftOut > 0 || failed !== undefined)
    .map(
      ({ event, function: name, failed, writes: of, leftOut }) => html`<li><p>
        ${event === 0 ? null : html`<a href=${hashOf(['events', event])}>Event ${event}</a> → `}<b>${name}</b></p>
      ${failed ? html`<p class="note">${failed}</p>` : null}
      ${of.map((write) => html`<${Write} write=${write} />`)}
      <${LeftOut} count=${leftOut} what="write" /></li>`,
    )}</ul>`;
}

function Write({ write }: { readonly write: PlannedWrite }) {
  const { do: verb, kind, namespace, name, leftOut } = write;
  return html`<div class="write"><p><span class="verb">${verb}</span> <b>${kind}</b> ${
    namespace ? `${namespace}/` : ''
  }${name}</p>
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
