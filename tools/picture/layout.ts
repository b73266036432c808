import type { Source, Stages, Woken } from './stages.ts';

/** In the picture's own units; its height follows from what there is to show. */
export const columns = {
  width: 568,
  server: { x: 12, y: 12, width: 544, height: 30 },
  leftLane: 20,
  source: { x: 30, width: 150 },
  broker: { x: 200, width: 26 },
  trigger: { x: 248, width: 168 },
  function: { x: 437, width: 106 },
  upLane: 551,
  downLane: 558,
  top: 72,
} as const;

/** Heights of one line of each size of text, and the space around it. */
export const line = { name: 17, small: 15, pad: 7, gap: 9 } as const;

export interface Box {
  readonly y: number;
  readonly height: number;
}

export interface SourceBox extends Box {
  readonly source: Source;
}

export interface Row extends Box {
  /** A Trigger's name in lines; nothing where the row is of dead letters. */
  readonly name: readonly string[];
  readonly notes: readonly string[];
}

export interface Block extends Box {
  readonly function: Woken;
  readonly name: readonly string[];
  readonly notes: readonly string[];
  readonly rows: readonly Row[];
}

export interface Layout {
  readonly sources: readonly SourceBox[];
  readonly blocks: readonly Block[];
  readonly bottom: number;
}

/** Sources in one column, functions with their Triggers in two: the shorter side is spread over the height of the longer. */
export function layoutOf({ sources, functions }: Stages): Layout {
  const left = sources.map((source) => ({ source, height: heightOf(1, source.tells.length + (source.kind ? 1 : 0)) }));
  const right = functions.map(blockOf);
  const height = Math.max(stackOf(left), stackOf(right));
  const spread = <Item extends { readonly height: number }>(items: readonly Item[]) =>
    stacked(items, { from: columns.top, gap: line.gap + (height - stackOf(items)) / Math.max(1, items.length - 1) });
  const blocks = spread(right).map((block) => ({ ...block, rows: centred(block) }));
  return { sources: spread(left), blocks, bottom: columns.top + height };
}

function blockOf(woken: Woken) {
  const [name, notes] = [wrapped(woken.name, 13), notesOf(woken)];
  const rows = [
    ...woken.triggers.map((trigger) => ({
      name: wrapped(trigger.name, 20),
      notes: trigger.wantsAll ? ['every event'] : [],
    })),
    ...(woken.takesDeadLetters ? [{ name: [], notes: ['dead letters:', 'what no function took'] }] : []),
  ].map((row) => ({ ...row, height: heightOf(row.name.length, row.notes.length) }));
  return { function: woken, name, notes, rows, height: Math.max(stackOf(rows), heightOf(name.length, notes.length)) };
}

function notesOf({ makes, triggers, takesDeadLetters }: Woken): readonly string[] {
  if (makes.length > 0) return ['makes', ...makes];
  if (takesDeadLetters) return ['keeps events'];
  return triggers.length > 0 ? [] : ['no event', 'wakes it'];
}

function heightOf(names: number, notes: number): number {
  return names * line.name + notes * line.small + line.pad;
}

function stackOf(items: readonly { readonly height: number }[]): number {
  return items.reduce((sum, { height }) => sum + height + line.gap, -line.gap);
}

function stacked<Item extends { readonly height: number }>(
  items: readonly Item[],
  { from, gap }: { readonly from: number; readonly gap: number },
): readonly (Item & Box)[] {
  let y = from;
  return items.map((item) => {
    const placed = { ...item, y };
    y += item.height + gap;
    return placed;
  });
}

/** The rows of a block, in the middle of its height or spread over all of it. */
function centred({ rows, y, height }: { readonly rows: readonly Omit<Row, 'y'>[] } & Box): readonly Row[] {
  const room = height - stackOf(rows);
  if (rows.length === 1) return stacked(rows, { from: y + room / 2, gap: line.gap });
  return stacked(rows, { from: y, gap: line.gap + room / Math.max(1, rows.length - 1) });
}

/** Breaks a name after hyphens into lines of at most this many signs. */
function wrapped(name: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const part of name.split(/(?<=-)/)) {
    const last = lines.at(-1);
    if (last !== undefined && (last + part).length <= most) lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  return lines;
}
