import { hashOf } from '../model/route.ts';
import type { PlannedEvent } from '../model/types.ts';
import { html } from './html.ts';
import { Empty } from './parts/notice.ts';
import { Badge } from './parts/words.ts';

/** What functions would write, event by event: nothing is the good case. */
export function Planned({ plans }: { readonly plans: readonly PlannedEvent[] }) {
  const writes = plans.reduce((sum, one) => sum + one.writes.length, 0);
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
    .filter(({ writes: of, failed }) => of.length > 0 || failed !== undefined)
    .map(
      ({ event, function: name, failed, writes: of }) => html`<li><p>
        ${event === 0 ? null : html`<a href=${hashOf(['events', event])}>Event ${event}</a> → `}<b>${name}</b></p>
      ${failed ? html`<p class="note">${failed}</p>` : null}
      ${of.map(
        (write) =>
          html`<div class="write"><p><span class="verb">${write.do}</span> <b>${write.kind}</b> ${
            write.namespace ? `${write.namespace}/` : ''
          }${write.name}</p></div>`,
      )}</li>`,
    )}</ul>`;
}
