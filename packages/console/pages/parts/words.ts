import { kindOf } from '../../model/outcomes.ts';
import type { Delivery } from '../../model/types.ts';
import { html } from '../html.ts';

const signs = { done: '✓', ignored: '○', failed: '✕', open: '!', 'sent-again': '↻', discarded: '–' } as const;

/** A state as a sign and a word, so that its colour says nothing alone. */
export function Badge({ of, word = of }: { readonly of: keyof typeof signs; readonly word?: string }) {
  return html`<span class=${`badge ${of}`}><span aria-hidden="true">${signs[of]}</span> ${word}</span>`;
}

export function Outcome({ delivery }: { readonly delivery: Pick<Delivery, 'status' | 'outcome'> }) {
  const kind = kindOf(delivery);
  const word = kind === 'failed' ? `failed ${delivery.status || ''}` : delivery.outcome;
  return html`<${Badge} of=${kind} word=${word} />`;
}

/** A moment: the clock in the text, the whole of it in the title. */
export function Time({ at, isLong = false }: { readonly at: string; readonly isLong?: boolean }) {
  return html`<time datetime=${at} title=${at}>${isLong ? `${dayOf(at)} ${clockOf(at)}` : clockOf(at)}</time>`;
}

/** `14:03:07.123`, in the time of this machine. */
export function clockOf(at: string): string {
  const date = new Date(at);
  const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}

function dayOf(at: string): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}
