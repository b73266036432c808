interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Place {
  readonly x: number;
  readonly y: number;
  /** Classes of `style.ts`. */
  readonly as: string;
}

/** A box with round corners. */
export function box({ x, y, width, height }: Rectangle, as: string): string {
  return `<rect class="${as}" x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${fixed(height)}" rx="5"/>`;
}

/** Words in the middle of a place; several lines are one text, so that it is read out as one word. */
export function text({ x, y, as }: Place, words: string | readonly string[]): string {
  const [first = '', ...more] = typeof words === 'string' ? [words] : words;
  const rest = more.map((one) => `<tspan x="${fixed(x)}" dy="17">${escaped(one)}</tspan>`);
  return `<text class="${as}" x="${fixed(x)}" y="${fixed(y)}">${escaped(first)}${rest.join('')}</text>`;
}

/** A line through these points, with a head at its end unless its class has none. */
export function arrow(points: readonly (readonly [number, number])[], as = 'flow'): string {
  return `<path class="${as}" d="M${points.map(([x, y]) => `${fixed(x)} ${fixed(y)}`).join('L')}"/>`;
}

export function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}
