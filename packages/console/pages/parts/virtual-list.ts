import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import { html, useEffect, useMemo, useRef, useState } from '../html.ts';

interface ListParts {
  readonly count: number;
  readonly rowHeight: number;
  readonly label: string;
  readonly heads: readonly string[];
  /** The cells of a row. */
  readonly row: (index: number) => unknown;
  readonly keyOf: (index: number) => string | number;
  /** What a row is made of: one that is made of the same things is not drawn again. */
  readonly madeOf: (index: number) => readonly unknown[];
  /** The rows that can be seen now. */
  readonly onRange?: (first: number, last: number) => void;
}

/** A table of which only the rows in sight exist. Its rows have one height. */
export function VirtualList({ count, rowHeight, label, heads, row, keyOf, madeOf, onRange }: ListParts) {
  const drawn = useRef(new Map<string, Drawn>());
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useState(0);
  const list = useMemo(() => new Virtualizer<HTMLDivElement, HTMLDivElement>(optionsOf(0)), []);
  function optionsOf(rows: number) {
    return {
      count: rows,
      estimateSize: () => rowHeight,
      getScrollElement: () => box.current,
      getItemKey: keyOf,
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      overscan: 6,
      onChange: () => redraw((turn) => turn + 1),
    };
  }
  list.setOptions({ ...list.options, ...optionsOf(count) });
  useEffect(() => list._didMount(), [list]);
  useEffect(() => list._willUpdate());
  const items = list.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onRange?.(first, last), [first, last, count]);
  return html`<div class="list" role="table" aria-label=${label} aria-rowcount=${count + 1}>
    <div role="rowgroup" class="heads"><div role="row" aria-rowindex="1" class="line">
      ${heads.map((head) => html`<span role="columnheader">${head}</span>`)}</div></div>
    <div class="box" ref=${box} role="rowgroup" tabindex="0" aria-label=${label}>
      <div role="presentation" class="all" style=${{ height: `${list.getTotalSize()}px` }}>
        ${items.map(lineOf)}
      </div>
    </div>
  </div>`;

  /** The same node as before, where nothing in it differs: then preact does not look into it, and a frame draws only rows that are new. */
  function lineOf({ key, index, start, size }: VirtualItem): unknown {
    const made = [index, start, ...madeOf(index)];
    const known = drawn.current.get(String(key));
    if (known?.made.every((one, at) => one === made[at])) return known.node;
    const style = { top: `${start}px`, height: `${size}px` };
    const node = html`<div key=${key} role="row" class="line" aria-rowindex=${index + 2} style=${style}>${row(index)}</div>`;
    if (drawn.current.size > mostDrawn) drawn.current.clear();
    drawn.current.set(String(key), { made, node });
    return node;
  }
}

interface Drawn {
  readonly made: readonly unknown[];
  readonly node: unknown;
}

/** Rows that are remembered: more than a screen has. */
const mostDrawn = 400;
