import { servedIn } from '../model/flow-graph.ts';
import {
  costsOf,
  memoryOf,
  processesIn,
  type Span,
  type Summary,
  spansOf,
  summariesOf,
  wordOf,
} from '../model/statistics.ts';
import type { FunctionState } from '../model/types.ts';
import { durationOf } from '../model/waterfall.ts';
import { api } from './api.ts';
import { useRepeated } from './asked.ts';
import { Silence, useSilence } from './deliveries.ts';
import { Histogram, Instances } from './function-charts.ts';
import { html, useMemo } from './html.ts';
import { Empty, Loading, Notice } from './parts/notice.ts';
import { Panel, Table, Title } from './parts/panel.ts';

const looked = 1000;

/** What each function did with the last events, how long it took to start, and how long it was awake. */
export function FunctionsPage() {
  const states = useRepeated(() => api.functions(), [], 5);
  const map = useRepeated(() => api.map(), [], 15);
  const tries = useRepeated(() => api.lastDeliveries(looked), [], 5);
  const served = useMemo(
    () => (map.value === undefined ? new Map<string, string>() : servedIn(map.value)),
    [map.value],
  );
  const sums = summariesOf(tries.value ?? [], served);
  const spans = spansOf(tries.value ?? [], served);
  const isSilent = useSilence();
  const functions = processesIn(states.value ?? []);
  return html`<${Title} title="Functions" note=${`Of the last ${looked.toLocaleString('en')} answers`} />
    ${states.error ? html`<${Notice} error=${states.error} what="which functions are awake" />` : null}
    ${tries.error ? html`<${Notice} error=${tries.error} what="what functions answered" />` : null}
    ${states.isLoading && states.value === undefined && !states.error ? html`<${Loading} what="the functions" />` : null}
    ${isSilent ? html`<${Silence} />` : null}
    ${tries.value?.length === 0 && !isSilent ? html`<${Empty}>No function has answered yet.<//>` : null}
    ${spans.size > 0 ? html`<${Costs} spans=${spans} />` : null}
    <div class="cards">${namesOf(sums, functions).map(
      (name) => html`<${One} name=${name} sum=${sums.find((one) => one.function === name)}
        state=${functions.find((one) => one.name === name)} spans=${spans.get(name) ?? []} />`,
    )}</div>`;
}

function namesOf(sums: readonly Summary[], functions: readonly FunctionState[]): readonly string[] {
  return [...new Set([...sums.map((one) => one.function), ...functions.map(({ name }) => name)])];
}

interface OneParts {
  readonly name: string;
  readonly sum: Summary | undefined;
  readonly state: FunctionState | undefined;
  readonly spans: readonly Span[];
}

function One({ name, sum, state, spans }: OneParts) {
  const note = state?.crashing === undefined ? wordOf(state) : `✕ crashing: ${state.crashing}`;
  return html`<${Panel} title=${name} note=${note}>
    ${sum ? html`<${Figures} sum=${sum} memory=${memoryOf(state)} />` : html`<${Empty}>It had none of these events.<//>`}
    ${sum ? html`<${Histogram} name=${name} cold=${sum.cold} warm=${sum.warm} />` : null}
    ${spans.length > 0 ? html`<${Instances} name=${name} spans=${spans} />` : null}<//>`;
}

function Figures({ sum, memory }: { readonly sum: Summary; readonly memory: string | undefined }) {
  const { done, ignored, failed, p50, p95, lastColdMs, calls, statuses } = sum;
  const rows: readonly (readonly [string, unknown])[] = [
    ['outcomes', `${done} done, ${ignored} ignored, ${failed} failed`],
    ['warm p50, p95', `${durationOf(p50)}, ${durationOf(p95)}`],
    ['last cold start', lastColdMs === undefined ? 'none seen' : durationOf(lastColdMs)],
    [
      'called',
      calls
        .slice(0, 4)
        .map(([call, count]) => `${call} ${count}`)
        .join(', '),
    ],
    ['errors', statuses.map(([status, count]) => `${count} × ${status}`).join(', ') || 'none'],
    ...(memory === undefined ? [] : [['memory', memory] as const]),
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Process-seconds at work, beside a resident controller, which is awake all of the time. */
function Costs({ spans }: { readonly spans: ReadonlyMap<string, readonly Span[]> }) {
  const to = Date.now();
  const from = Math.min(...[...spans.values()].flat().map((span) => span.from));
  const costs = costsOf(spans, { from, to });
  const all = costs.reduce((sum, { awakeSeconds }) => sum + awakeSeconds, 0);
  const row = (name: string, seconds: number, share: number): readonly unknown[] => [
    name,
    durationOf(seconds * 1000),
    `${share.toFixed(1)} %`,
    html`<meter min="0" max="100" value=${Math.min(100, share)} aria-label=${`${name}: ${share.toFixed(1)} % of the time`}></meter>`,
  ];
  return html`<${Panel} title="Cost" note=${`process-seconds from a start to its last answer, in the last ${durationOf(to - from)}, against one controller that never sleeps; the idle time before a process sleeps comes on top`}>
    <${Table} label="Cost" heads=${['function', 'at work', 'of a resident controller', 'share']} numbers=${[1, 2]}
      rows=${[...costs.map((one) => row(one.function, one.awakeSeconds, one.share)), row('all together', all, (100 * all * 1000) / Math.max(1, to - from))]} /><//>`;
}
