import { coloured, plain, type Style } from '../packages/mesh/screen.ts';
import type { Common } from './leaf.ts';

/** Prints the result of a command: a value for programs, or the same as text for people. */
export function show(value: object, text: (style: Style, width: number) => string, { json = false }: Common): void {
  const { stdout, env } = process;
  console.log(json ? JSON.stringify(value) : text(styleOf(stdout, env), widthOf(stdout, env)));
}

/** Colours only on a terminal, and never where NO_COLOR is set (https://no-color.org) or the terminal is dumb. */
export function styleOf(
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): Style {
  return isTTY === true && !NO_COLOR && TERM !== 'dumb' ? coloured : plain;
}

/** The columns of the terminal, else what COLUMNS says; a file or a pipe gets everything whole. */
export function widthOf(
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  { COLUMNS = '' }: Readonly<Record<string, string | undefined>>,
): number {
  if (isTTY === true && columns !== undefined) return columns;
  return /^[1-9]\d{1,4}$/.test(COLUMNS) ? Number(COLUMNS) : Number.POSITIVE_INFINITY;
}
