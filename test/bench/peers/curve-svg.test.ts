import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { curveSvg, labelPlaces } from '../../../bench/peers/curve-svg.ts';
import { contender } from './measured.ts';

const point = (pods: number, mb: number) => ({ pods, mb: { own: mb / 2, platform: mb / 2 } });
const flat = contender('flat', [], { curve: [point(0, 100), point(50, 100), point(100, 100)] });
const steep = contender('steep', [], { curve: [point(0, 100), point(100, 400)] });

function linesOf(svg: string): readonly (readonly (readonly number[])[])[] {
  return [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, points = '']) =>
    points.split(' ').map((place) => place.split(',').map(Number)),
  );
}

describe('the curve of memory', () => {
  it('is level where memory is, and begins at nothing: four times as much is four times as high', () => {
    const [level, up] = linesOf(curveSvg([flat, steep], 'Memory'));
    const bottom = 380 - 48;
    const heights = (line: typeof level) => line?.map(([, y = 0]) => Math.round(bottom - y));
    assert.equal(new Set(heights(level)).size, 1);
    assert.equal(heights(up)?.[1], 4 * (heights(up)?.[0] ?? 0));
  });

  it('goes as far to the right as there are Pods', () => {
    const [[, half] = [], [, full] = []] = linesOf(curveSvg([flat, steep], 'Memory')).map((line) =>
      line.map(([x = 0]) => x - 60),
    );
    assert.equal(full, 2 * (half ?? 0));
  });

  it('leaves out who has no line, and lets no name break it', () => {
    const svg = curveSvg([{ ...flat, label: 'a <b> & c' }, contender('none', [])], 'Memory');
    assert.equal(linesOf(svg).length, 1);
    assert.match(svg, /a &lt;b&gt; &amp; c: 100 MB/);
    assert.doesNotMatch(svg, /the none/);
  });

  it('writes names below each other where lines end together', () => {
    assert.deepEqual(labelPlaces([100, 98, 20], 15), [100, 85, 20]);
  });
});
