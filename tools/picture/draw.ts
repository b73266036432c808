import { type Block, type Box, columns, type Layout, layoutOf, line, type Row, type SourceBox } from './layout.ts';
import { arrow, box, escaped, text } from './shapes.ts';
import type { Stages } from './stages.ts';
import { styleOf } from './style.ts';

const title = 'The way of an event through Knudge';

/** The way of an event as an SVG that shows in a browser, light or dark, without anything from elsewhere. */
export function draw(stages: Stages): string {
  const layout = layoutOf(stages);
  const height = Math.ceil(layout.bottom + 38);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${columns.width}" height="${height}" viewBox="0 0 ${columns.width} ${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${title}</title>`,
    `<desc id="desc">${escaped(described(stages))}</desc>`,
    `<style>${styleOf()}</style>`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>',
    box({ x: 0.5, y: 0.5, width: columns.width - 1, height: height - 1 }, 'page'),
    ...hubs(layout),
    ...layout.sources.flatMap(sourceOf),
    ...watching(layout.sources),
    ...layout.blocks.flatMap(blockOf),
    ...again(layout),
    '</svg>',
    '',
  ].join('\n');
}

/** The same for who does not see it. */
function described({ sources, functions }: Stages): string {
  const named = sources.filter(({ kind }) => kind !== '').map(({ kind, name }) => `${kind} ${name}`);
  const woken = functions.filter(({ triggers }) => triggers.length > 0);
  return [
    `A change at the Kubernetes API server reaches the Broker by a source: ${named.join(', ')}.`,
    ...woken.map(({ name, triggers }) => `${listed(triggers.map((one) => one.name))} the function ${name}.`),
    'Functions read and write at the API server, and so the way begins anew.',
  ].join(' ');
}

function listed(triggers: readonly string[]): string {
  return triggers.length === 1 ? `Trigger ${triggers[0]} wakes` : `Triggers ${triggers.join(', ')} wake`;
}

function hubs({ bottom }: Layout): readonly string[] {
  const { server, broker, top, source, trigger, function: woken } = columns;
  const middle = (top + bottom) / 2;
  const heads = [
    [source, 'Sources watch it'],
    [trigger, 'Triggers choose'],
    [woken, 'Functions write'],
  ] as const;
  return [
    box(server, 'hub'),
    text({ x: server.x + server.width / 2, y: server.y + 20, as: 'hub' }, 'Kubernetes API server'),
    ...heads.map(([at, words]) => text({ x: at.x + at.width / 2, y: top - 10, as: 'dim' }, words)),
    box({ x: broker.x, y: top, width: broker.width, height: bottom - top }, 'hub'),
    `<g transform="rotate(-90 ${broker.x + 18} ${middle})">${text({ x: broker.x + 18, y: middle, as: 'hub' }, 'Broker')}</g>`,
  ];
}

function sourceOf({ source: { kind, name, tells }, y, height }: SourceBox): readonly string[] {
  const { source, broker } = columns;
  const x = source.x + source.width / 2;
  const first = y + line.name + (kind === '' ? 0 : line.small);
  return [
    box({ ...source, y, height }, 'source'),
    ...(kind === '' ? [] : [text({ x, y: y + line.small, as: 'dim' }, kind)]),
    text({ x, y: first, as: kind === '' ? 'name' : 'source' }, name),
    ...tells.flatMap((one, index) => {
      const at = first + (index + 1) * line.small;
      return [
        text({ x, y: at, as: 'tells' }, one),
        arrow([
          [source.x + source.width, at - 4],
          [broker.x, at - 4],
        ]),
      ];
    }),
  ];
}

/** From the API server down into each source that watches it. */
function watching(sources: readonly SourceBox[]): readonly string[] {
  const { leftLane, server, source } = columns;
  return sources
    .filter(({ source: { kind } }) => kind !== '' && kind !== 'PingSource')
    .map(({ y }) =>
      arrow([
        [leftLane, server.y + server.height],
        [leftLane, y + 20],
        [source.x, y + 20],
      ]),
    );
}

function blockOf(block: Block): readonly string[] {
  const { function: column, upLane, server } = columns;
  const { y, height, name, notes, rows } = block;
  const x = column.x + column.width / 2;
  const used = name.length * line.name + notes.length * line.small + line.pad;
  const first = y + (height - used) / 2 + line.name;
  const writes = block.function.makes.length > 0;
  return [
    ...rows.flatMap(rowOf),
    box({ ...column, y, height }, rows.length > 0 ? 'function' : 'lost'),
    text({ x, y: first, as: 'function' }, name),
    ...notes.map((note, index) =>
      text({ x, y: first + (name.length - 1) * line.name + (index + 1) * line.small, as: 'dim' }, note),
    ),
    ...(writes
      ? [
          arrow([
            [column.x + column.width, y + 16],
            [upLane, y + 16],
            [upLane, server.y + server.height],
          ]),
        ]
      : []),
  ];
}

function rowOf({ name, notes, y, height }: Row): readonly string[] {
  const { broker, trigger, function: woken } = columns;
  const [x, middle] = [trigger.x + trigger.width / 2, y + height / 2];
  const isTrigger = name.length > 0;
  const as = isTrigger ? 'flow' : 'lost';
  const ends = [
    [broker.x + broker.width, trigger.x],
    [trigger.x + trigger.width, woken.x],
  ] as const;
  return [
    ...ends.map(([from, to]) =>
      arrow(
        [
          [from, middle],
          [to, middle],
        ],
        as,
      ),
    ),
    box({ ...trigger, y, height }, isTrigger ? 'trigger' : 'lost'),
    ...(isTrigger ? [text({ x, y: y + line.name, as: 'trigger' }, name)] : []),
    ...notes.map((note, index) =>
      text({ x, y: y + name.length * line.name + (index + 1) * line.small, as: 'dim' }, note),
    ),
  ];
}

/** What a function sends goes below everything back to where such events come in. */
function again({ sources, blocks, bottom }: Layout): readonly string[] {
  const { downLane, function: woken, source } = columns;
  return blocks.flatMap(({ function: { sendsAs }, y, height }) => {
    const back = sources.find((one) => one.source.name === sendsAs);
    if (back === undefined) return [];
    const [from, into] = [y + height - 14, source.x + source.width / 2];
    return [
      arrow(
        [
          [woken.x + woken.width, from],
          [downLane, from],
          [downLane, bottom + 14],
          [into, bottom + 14],
          [into, endOf(back)],
        ],
        'again',
      ),
      text({ x: (into + downLane) / 2, y: bottom + 29, as: 'dim' }, 'the resync asks after each object'),
    ];
  });
}

function endOf({ y, height }: Box): number {
  return y + height;
}
