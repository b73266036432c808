import type { Style } from '../screen.ts';
import type { EventMap, Stop, Way } from './trace.ts';

interface Node {
  readonly text: string;
  readonly below: readonly Node[];
}

/** The map as a person reads it: a tree for each source. */
export function treeOf({ ways, deadLetters }: EventMap, style: Style): string {
  const sources = [...Map.groupBy(ways, ({ source }) => source)].map(([source, of]) => ({
    text: source,
    below: of.map((way) => wayNode(way, style)),
  }));
  const ends = {
    text: 'dead letters',
    below: deadLetters.map((end) => ({ text: `${end.sink}${style.dim(` from ${summed(end.from)}`)}`, below: [] })),
  };
  return [...sources, ends].flatMap(linesOf).join('\n');
}

function wayNode({ about, types, to }: Way, style: Style): Node {
  const below =
    to.length === 0 ? [{ text: style.bad('no Trigger wants it'), below: [] }] : to.map((stop) => stopNode(stop, style));
  return { text: `${about}${style.dim(`: ${folded(types)}`)}`, below };
}

function stopNode({ trigger, function: name, makes }: Stop, { good, dim }: Style): Node {
  const made = makes.length === 0 ? '' : `${dim(' → ')}${makes.join(', ')}`;
  return { text: `${dim('Trigger ')}${trigger}${dim(' → ')}${good(name)}${made}`, below: [] };
}

/** `a.b.{add,delete}`. */
function folded(types: readonly string[]): string {
  const [first = ''] = types;
  const stem = first.slice(0, first.lastIndexOf('.') + 1);
  if (types.length < 2 || !types.every((type) => type.startsWith(stem))) return types.join(', ');
  return `${stem}{${types.map((type) => type.slice(stem.length)).join(',')}}`;
}

/** All of them if they are few, else the first ones and the number of the others. */
function summed(from: readonly string[]): string {
  return from.length <= 3 ? from.join(', ') : `${from[0]} and ${from.length - 1} more`;
}

function linesOf({ text, below }: Node): readonly string[] {
  const branches = below.map((node, index) => {
    const isLast = index === below.length - 1;
    const [head = '', ...rest] = linesOf(node);
    return [`${isLast ? '└─' : '├─'} ${head}`, ...rest.map((line) => `${isLast ? '  ' : '│ '} ${line}`)];
  });
  return [text, ...branches.flat()];
}
