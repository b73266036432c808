/** What a table has to fit into. */
export interface Fit {
  /** Columns of the screen. */
  readonly width: number;
  /** By heading: how short a column may get; the others stay whole. */
  readonly least: Readonly<Record<string, number>>;
}

/** Rows below their headings, each column as wide as its longest cell, or shorter to fit; control characters become question marks. */
export function tableOf(headings: readonly string[], rows: readonly (readonly string[])[], fit?: Fit): string {
  const all = [headings, ...rows.map((row) => row.map(printable))];
  const natural = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const widths = fit === undefined ? natural : narrowed(headings, natural, fit);
  return all
    .map((row) =>
      row
        .map((cell, column) => shortened(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The widest column gives way first. */
function narrowed(headings: readonly string[], natural: readonly number[], { width, least }: Fit): readonly number[] {
  const widths = [...natural];
  let tooMuch = widths.reduce((sum, one) => sum + one + 2, -2) - width;
  for (; tooMuch > 0; tooMuch -= 1) {
    const spare = widths.map((one, column) => (one > (least[headings[column] ?? ''] ?? one) ? one : 0));
    const widest = Math.max(...spare);
    if (widest === 0) return widths;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** The beginning and the end of a text that is too long: names differ at the end. */
function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.floor((length - 1) / 2);
  return `${text.slice(0, length - 1 - end)}…${text.slice(text.length - end)}`;
}

/** A text from elsewhere on one line, without control characters. */
export function printable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '?');
}
