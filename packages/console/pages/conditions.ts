import type { LiveCondition } from '../model/types.ts';
import { html } from './html.ts';
import { Empty } from './parts/notice.ts';
import { Table } from './parts/panel.ts';
import { Time } from './parts/words.ts';

/** The conditions of an object. */
export function Conditions({ conditions }: { readonly conditions: readonly LiveCondition[] }) {
  if (conditions.length === 0) return html`<${Empty}>It has no conditions.<//>`;
  return html`<${Table} label="Conditions" heads=${['condition', 'is', 'reason', 'since']}
    rows=${conditions.map(({ type, status, reason = '', message = '', lastTransitionTime }) => [
      type,
      status,
      html`${reason}${message ? html`<br /><span class="note">${message}</span>` : null}`,
      lastTransitionTime ? html`<${Time} at=${lastTransitionTime} />` : '',
    ])} />`;
}
