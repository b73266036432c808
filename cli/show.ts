import { coloured, plain, type Style } from '../packages/mesh/screen.ts';
import type { Common } from './leaf.ts';

/** What a command found out: a value for programs, or the same as a text for people. */
export function show(value: object, text: (style: Style) => string, { json = false }: Common): void {
  console.log(json ? JSON.stringify(value) : text(styleOf(process.stdout, process.env)));
}

/** Colours only on a terminal, and never where NO_COLOR is set (https://no-color.org) or the terminal is dumb. */
export function styleOf(
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): Style {
  return isTTY === true && !NO_COLOR && TERM !== 'dumb' ? coloured : plain;
}
