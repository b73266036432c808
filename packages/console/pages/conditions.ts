import { conditionsOf } from '../model/related.ts';
import type { RecordedEvent } from '../model/types.ts';
import { html } from './html.ts';
import { Empty } from './parts/notice.ts';
import { Table } from './parts/panel.ts';
import { Time } from './parts/words.ts';

/** The conditions of an object as an event shows them. */
export function Conditions({ event }: { readonly event: RecordedEvent | undefined }) {
  const conditions = event === undefined ? [] : conditionsOf(event);
  if (conditions.length === 0) return html`<${Empty}>It has no conditions.<//>`;
  return html`<${Table} label="Conditions" heads=${['condition', 'is', 'reason', 'since']}
    rows=${conditions.map(({ type, status, reason = '', message = '', lastTransitionTime }) => [
      type,
      status,
      html`${reason}${message ? html`<br /><span class="note">${message}</span>` : null}`,
      lastTransitionTime ? html`<${Time} at=${lastTransitionTime} />` : '',
    ])} />`;
}
