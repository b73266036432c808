/** The begin of a colour or its end: it takes no place on the screen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const colour = /\u001b\[\d+m/g;

/** The columns that a text takes. */
export function widthOf(text: string): number {
  return [...text.replace(colour, '')].length;
}

/** Breaks a line between words where it is wider than the screen; what follows the first is indented. A word is never broken. */
export function wrap(line: string, width: number, indent: string): string {
  if (widthOf(line) <= width) return line;
  const rows: string[] = [];
  let row = '';
  for (const word of line.split(' ')) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (widthOf(longer) <= width || row.trim() === '') row = longer;
    else {
      rows.push(row);
      row = `${indent}${word}`;
    }
  }
  return [...rows, row].join('\n');
}
