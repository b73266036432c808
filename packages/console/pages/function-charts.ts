import uPlot from 'uplot';
import { histogramOf, type Span, stepsOf } from '../model/statistics.ts';
import { durationOf } from '../model/waterfall.ts';
import { html, useMemo } from './html.ts';
import { Chart, colour } from './parts/chart.ts';
import { Twin } from './parts/panel.ts';
import { clockOf } from './parts/words.ts';

const bounds = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const;
const bars = uPlot.paths.bars?.({ size: [0.7, 40] });

interface HistogramParts {
  readonly name: string;
  readonly cold: readonly number[];
  readonly warm: readonly number[];
}

/** How many tries took how long, cold starts and warm tries side by side. */
export function Histogram({ name, cold, warm }: HistogramParts) {
  const [colds, warms] = [histogramOf(cold, bounds), histogramOf(warm, bounds)];
  const names = [...bounds.map((bound) => durationOf(bound)), 'more'];
  const data = useMemo(
    () => [names.map((_, index) => index), [...warms], [...colds]] as [number[], number[], number[]],
    [colds.join(), warms.join()],
  );
  const axis = { stroke: colour('soft'), grid: { show: false }, ticks: { show: false }, font: '11px system-ui' };
  const options = {
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [-0.5, names.length - 0.5] as [number, number] } },
    axes: [
      {
        ...axis,
        size: 24,
        splits: () => [0, 2, 4, 6, 8, 10],
        values: (_: unknown, at: number[]) => at.map((one) => names[one] ?? ''),
      },
      { ...axis, size: 34, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] },
    ],
    series: [
      {},
      { label: 'warm', fill: colour('done'), width: 0, ...(bars && { paths: bars }), points: { show: false } },
      { label: 'cold', fill: colour('cold'), width: 0, ...(bars && { paths: bars }), points: { show: false } },
    ],
  };
  return html`<p class="legend"><span class="work"><i aria-hidden="true"></i>warm, work</span><span class="cold"><i aria-hidden="true"></i>cold start</span></p>
    <${Chart} label=${`How long ${name} took: the table below says the same.`} data=${data} options=${options} />
    <${Twin} label=${`How long ${name} took`} heads=${['at most', 'warm', 'cold']} numbers=${[1, 2]}
      rows=${names.map((title, index) => [title, warms[index] ?? 0, colds[index] ?? 0])} />`;
}

interface InstancesParts {
  readonly name: string;
  readonly spans: readonly Span[];
}

/** How many processes were at work when. */
export function Instances({ name, spans }: InstancesParts) {
  const steps = stepsOf(spans);
  const data = useMemo(
    () => [steps.map(([at]) => at / 1000), steps.map(([, count]) => count)] as [number[], number[]],
    [JSON.stringify(spans)],
  );
  const axis = { stroke: colour('soft'), grid: { show: false }, ticks: { show: false }, font: '11px system-ui' };
  const options = {
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_: unknown, __: number, most: number): [number, number] => [0, Math.max(1, most) + 0.3] } },
    axes: [
      { ...axis, size: 24 },
      { ...axis, size: 34, incrs: [1, 2, 5, 10] },
    ],
    series: [
      {},
      {
        label: 'instances',
        stroke: colour('accent'),
        fill: colour('tint'),
        width: 1.5,
        ...(stepped && { paths: stepped }),
        points: { show: false },
      },
    ],
  };
  return html`<h3>Instances</h3><${Chart} label=${`Instances of ${name} over time: the table below says the same.`} data=${data} options=${options} />
    <${Twin} label=${`Instances of ${name}`} heads=${['at', 'instances']} numbers=${[1]}
      rows=${steps.map(([at, count]) => [clockOf(new Date(at).toISOString()), count])} />`;
}

const stepped = uPlot.paths.stepped?.({ align: 1 });
