import { type Contender, type Point, whole } from './measured.ts';

const size = { width: 820, height: 380, left: 60, right: 330, top: 44, bottom: 48 };
const colours = ['#0072b2', '#56b4e9', '#e69f00', '#cc79a7', '#009e73'] as const;

interface Scale {
  readonly most: number;
  at(value: number): number;
}

/** Memory over the number of unrelated Pods, a line for each contestant: an SVG that can be read on a dark page too. */
export function curveSvg(contenders: readonly Contender[], title: string): string {
  const drawn = contenders.filter(({ curve }) => curve.length > 1);
  const points = drawn.flatMap(({ curve }) => curve);
  const x = scaleOf(
    points.map(({ pods }) => pods),
    [size.left, size.width - size.right],
  );
  const y = scaleOf(
    points.map(({ mb }) => whole(mb)),
    [size.height - size.bottom, size.top],
  );
  const places = labelPlaces(drawn.map(({ curve }) => y.at(lastOf(curve))));
  const lines = drawn.map((one, index) =>
    lineOf(one, { x, y, colour: colours[index % colours.length] ?? '', labelY: places[index] ?? 0 }),
  );
  const ends = [x.at(0), x.at(x.most)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(size.width)} ${String(size.height)}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    text({ x: size.left, y: 22, anchor: 'start', colour: '#222222' }, title),
    ...ticksOf(y).map(
      (value) =>
        `<path d="M${fixed(ends[0])} ${fixed(y.at(value))}H${fixed(ends[1])}" stroke="#dddddd"/>${text({ x: size.left - 8, y: y.at(value) + 4, anchor: 'end', colour: '#444444' }, `${value.toLocaleString('en')} MB`)}`,
    ),
    ...[...new Set(points.map(({ pods }) => pods))].map((pods) =>
      text(
        { x: x.at(pods), y: size.height - size.bottom + 20, anchor: 'middle', colour: '#444444' },
        pods.toLocaleString('en'),
      ),
    ),
    text(
      { x: (size.left + size.width - size.right) / 2, y: size.height - 8, anchor: 'middle', colour: '#444444' },
      'unrelated Pods in the cluster',
    ),
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

/** From zero to the largest value, so that a line that is twice as high means twice as much. */
function scaleOf(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const most = Math.max(1, ...values);
  return { most, at: (value) => from + (value / most) * (to - from) };
}

function ticksOf({ most }: Scale): readonly number[] {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

/** If lines end close together their names stand below each other. */
export function labelPlaces(wanted: readonly number[], gap = 15): readonly number[] {
  const places = [...wanted];
  const order = wanted.map((_, index) => index).toSorted((one, other) => (wanted[other] ?? 0) - (wanted[one] ?? 0));
  let above = Number.POSITIVE_INFINITY;
  for (const index of order) {
    above = Math.min(wanted[index] ?? 0, above - gap);
    places[index] = above;
  }
  return places;
}

interface Line {
  readonly x: Scale;
  readonly y: Scale;
  readonly colour: string;
  readonly labelY: number;
}

function lineOf({ label, curve }: Contender, { x, y, colour, labelY }: Line): string {
  const places = curve.map(({ pods, mb }) => `${fixed(x.at(pods))},${fixed(y.at(whole(mb)))}`);
  const last = curve.at(-1)?.pods ?? 0;
  return [
    `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...places.map((place) => `<circle cx="${place.replace(',', '" cy="')}" r="3" fill="${colour}"/>`),
    text(
      { x: x.at(last) + 8, y: labelY + 4, anchor: 'start', colour },
      `${label}: ${Math.round(lastOf(curve)).toLocaleString('en')} MB`,
    ),
  ].join('');
}

function lastOf(curve: readonly Point[]): number {
  const last = curve.at(-1);
  return last === undefined ? 0 : whole(last.mb);
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly colour: string;
}

function text({ x, y, anchor, colour }: Place, words: string): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}" fill="${colour}">${escaped(words)}</text>`;
}

function escaped(words: string): string {
  return words.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;');
}

function fixed(value: number | undefined): string {
  return (value ?? 0).toFixed(1);
}
