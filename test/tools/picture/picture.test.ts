import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import { draw } from '../../../tools/picture/draw.ts';
import { columns, layoutOf } from '../../../tools/picture/layout.ts';
import { stagesOf } from '../../../tools/picture/stages.ts';
import { sizes } from '../../../tools/picture/style.ts';
import { root, textOf } from '../../house/files.ts';

const spec = readManifests({ root });
const picture = draw(stagesOf(spec));

describe('the way of an event in docs/', () => {
  for (const [column, named] of [
    ['source', [...spec.sources, ...spec.pings]],
    ['trigger', spec.triggers],
    ['function', spec.functions],
  ] as const) {
    it(`has every ${column} of the manifests exactly once`, () => {
      assert.ok(named.length > 3);
      assert.deepEqual(textsOf(picture, column).sort(), named.map(({ name }) => name).sort());
    });
  }

  it('has each kind that a source watches', () => {
    const kinds = spec.sources.flatMap(({ resources }) => [...new Set(resources.map(({ kind }) => kind))]);
    const told = textsOf(picture, 'tells');
    for (const kind of new Set(kinds)) {
      assert.equal(told.filter((one) => one === kind).length, kinds.filter((one) => one === kind).length, kind);
    }
  });

  it('sets a Trigger beside the function that it wakes', () => {
    const changed = stagesOf({
      ...spec,
      triggers: spec.triggers.map((one) =>
        one.name === 'pod-changed'
          ? { ...one, subscriber: { kind: 'function', namespace: 'knudge', name: 'message-changed' } }
          : one,
      ),
    });
    const of = (name: string) => changed.functions.find((one) => one.name === name)?.triggers.map((one) => one.name);
    assert.deepEqual(of('message-changed'), ['message-changed', 'pod-changed']);
    assert.equal(of('distributed-service')?.includes('pod-changed'), false);
  });

  it('is not drawn where a Trigger waits for what no source sends', () => {
    const sources = spec.sources.filter(({ name }) => name !== 'source-adapters');
    assert.throws(() => stagesOf({ ...spec, sources }), /no source sends what Trigger source-restarted wants: mend/);
  });

  it('lays no box over another', () => {
    const boxes = [...picture.matchAll(/<rect class="(?!page)\w+" x="(.+?)" y="(.+?)" width="(.+?)" height="(.+?)"/g)]
      .map((found) => found.slice(1).map(Number))
      .map(([x = 0, y = 0, width = 0, height = 0]) => ({ x, y, right: x + width, bottom: y + height }));
    assert.ok(boxes.length > spec.triggers.length + spec.functions.length);
    for (const [index, one] of boxes.entries()) {
      const over = boxes.slice(index + 1).filter((other) => isOver(one, other));
      assert.deepEqual([over, one.right < columns.width], [[], true], JSON.stringify(one));
    }
  });

  it('keeps its words within their boxes', () => {
    const { sources, blocks } = layoutOf(stagesOf(spec));
    const rows = blocks.flatMap((block) => block.rows);
    assert.deepEqual(
      [
        ...sources.flatMap(({ source }) => [
          ...tooLong([source.name], 'name', columns.source),
          ...tooLong([source.kind, ...source.tells], 'small', columns.source),
        ]),
        ...[
          { items: rows, column: columns.trigger },
          { items: blocks, column: columns.function },
        ].flatMap(({ items, column }) =>
          items.flatMap(({ name, notes }) => [...tooLong(name, 'name', column), ...tooLong(notes, 'small', column)]),
        ),
      ],
      [],
    );
  });

  it('can be read on a telephone and on a wide page, light and dark', () => {
    assert.ok((sizes.name * 360) / columns.width >= 8.5);
    assert.ok((sizes.small * 360) / columns.width >= 7.5);
    assert.ok((sizes.small * 900) / columns.width >= 11);
    assert.match(picture, /@media \(prefers-color-scheme:dark\)/);
  });

  it('is small and takes nothing from elsewhere', () => {
    assert.ok(Buffer.byteLength(picture) <= 30_000);
    assert.doesNotMatch(picture, /<script|<image|<foreignObject|href=|@import|@font-face|url\((?!#head\))| on\w+=/);
  });

  it('says in words what it shows', () => {
    const [, said = ''] = /<desc id="desc">(.+)<\/desc>/.exec(picture) ?? [];
    assert.match(picture, /<title id="title">The way of an event/);
    for (const { name } of [...spec.sources, ...spec.pings, ...spec.triggers]) assert.ok(said.includes(name), name);
    for (const { name } of spec.functions.filter((one) => one.name !== 'frp-gate')) {
      assert.match(said, new RegExp(`wakes? the function ${name}\\.`));
    }
  });

  it('is in README.md', () => {
    assert.match(textOf('README.md'), /!\[[^\]]{40,}\]\(docs\/way-of-an-event\.svg\)/);
  });
});

/** With a sign as wide as three fifths of its height less a little, as in the widest of the usual fonts. */
function tooLong(lines: readonly string[], size: keyof typeof sizes, { width }: { readonly width: number }) {
  return lines.filter((words) => words.length * sizes[size] * 0.58 > width);
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

function isOver(one: Area, other: Area): boolean {
  return one.x < other.right && other.x < one.right && one.y < other.bottom && other.y < one.bottom;
}

/** The texts of a class, each as it is read out. */
function textsOf(svg: string, as: string): string[] {
  const found = svg.matchAll(new RegExp(`<text class="${as}"[^>]*>(.*?)</text>`, 'g'));
  return [...found].map(([, inner = '']) => inner.replace(/<[^>]*>/g, ''));
}
