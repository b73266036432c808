import type { PlannedChange } from '../packages/event-log/replay/planned-changes.ts';
import type { Style } from '../packages/mesh/screen.ts';
import { printable } from './table.ts';

/** What was at each place, and what is there now; a whole object as lines of its own. */
export function diffLines(changes: readonly PlannedChange[], { bad, good }: Style, indent: string): string[] {
  return changes.flatMap(({ field, before, after }) => {
    const name = field === '' ? '' : `${field}: `;
    const linesOf = (value: unknown): readonly string[] => (field === '' ? wholeOf(value) : [textOf(value)]);
    return [
      ...(before === undefined ? [] : linesOf(before).map((line) => bad(`${indent}- ${name}${line}`))),
      ...(after === undefined ? [] : linesOf(after).map((line) => good(`${indent}+ ${name}${line}`))),
    ];
  });
}

/** Characters of one value. */
const longest = 300;

function textOf(value: unknown): string {
  return shortened(printable(JSON.stringify(value)));
}

/** Keeps the indent. */
function wholeOf(value: unknown): readonly string[] {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => shortened(line.replace(/\S.*/, printable)));
}

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
