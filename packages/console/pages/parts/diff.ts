import { placesOf, shownOf } from '../../model/changes.ts';
import type { Change } from '../../model/types.ts';
import { html } from '../html.ts';

const words = { add: 'added', remove: 'removed', replace: 'changed' } as const;

/** Changes, place by place: what was there, and what is there now. */
export function Diff({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return html`<p class="empty">Nothing but its version differs.</p>`;
  return html`<dl class="diff">${changes.map((change) => html`<${OneChange} change=${change} />`)}</dl>`;
}

/** Both sides fit into one line. */
function isShort(...values: readonly unknown[]): boolean {
  const texts = values.map((value) => (value === undefined ? '' : shownOf(value)));
  return texts.every((text) => !text.includes('\n')) && texts.join('').length < 38;
}

function OneChange({ change: { op, path, value, was } }: { readonly change: Change }) {
  return html`<div class=${isShort(value, was) ? 'short' : ''}>
    <dt><code>${path.slice(1).replaceAll('/', '.') || '(all of it)'}</code> <span class="op">${words[op]}</span></dt>
    ${op === 'add' || was === undefined ? null : html`<dd class="was"><del>${shownOf(was)}</del></dd>`}
    ${op === 'remove' ? null : html`<dd class="is"><ins>${shownOf(value)}</ins></dd>`}
  </div>`;
}

/** The places that changed, the first few of them. */
export function Places({ changes, most = 3 }: { readonly changes: readonly Change[]; readonly most?: number }) {
  const places = placesOf(changes);
  const rest = places.length - most;
  return html`<span class="places">${places.slice(0, most).map((place) => html`<code>${place}</code> `)}
    ${rest > 0 ? html`<span class="note">+${rest}</span>` : null}</span>`;
}
