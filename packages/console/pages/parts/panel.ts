import { html } from '../html.ts';

interface PanelParts {
  readonly title: string;
  readonly note?: unknown;
  readonly actions?: unknown;
  readonly children?: unknown;
  readonly kind?: string;
}

/** A part of a page, with its heading. */
export function Panel({ title, note, actions, children, kind = '' }: PanelParts) {
  return html`<section class=${`panel ${kind}`} aria-label=${title}>
    <header><h2>${title}</h2>${note ? html`<span class="note">${note}</span>` : null}
      ${actions ? html`<span class="actions">${actions}</span>` : null}</header>
    ${children}
  </section>`;
}

/** The head of a page. */
export function Title({ title, note, actions }: Omit<PanelParts, 'children' | 'kind'>) {
  return html`<div class="title"><h1 tabindex="-1">${title}</h1>
    ${note ? html`<p class="note">${note}</p>` : null}
    ${actions ? html`<div class="actions">${actions}</div>` : null}</div>`;
}

interface TableParts {
  readonly label: string;
  readonly heads: readonly string[];
  /** Each row is its cells. */
  readonly rows: readonly (readonly unknown[])[];
  /** The columns of numbers. */
  readonly numbers?: readonly number[];
}

/** A plain table that a narrow screen may scroll sideways. */
export function Table({ label, heads, rows, numbers = [] }: TableParts) {
  const classOf = (index: number): string => (numbers.includes(index) ? 'number' : '');
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${label}><table>
    <thead><tr>${heads.map((head, index) => html`<th scope="col" class=${classOf(index)}>${head}</th>`)}</tr></thead>
    <tbody>${rows.map(
      (cells) => html`<tr>${cells.map((cell, index) => html`<td class=${classOf(index)}>${cell}</td>`)}</tr>`,
    )}</tbody></table></div>`;
}

/** The same facts as a drawing, as a table: for readers of a screen, and for copying. */
export function Twin(parts: TableParts) {
  return html`<details class="twin"><summary>As a table</summary><${Table} ...${parts} /></details>`;
}
