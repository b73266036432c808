import { flowOf, servedIn } from '../model/flow-graph.ts';
import { functionOf } from '../model/letters.ts';
import { busyIn, processesIn, type Summary, summariesOf, wordOf } from '../model/statistics.ts';
import type { EventMap, Finding, FunctionState } from '../model/types.ts';
import { durationOf } from '../model/waterfall.ts';
import { api } from './api.ts';
import { useAgainAt, useRepeated } from './asked.ts';
import { deliveries, noDeliveries, wantDeliveries } from './deliveries.ts';
import { FlowDrawing, type NodeFacts } from './flow-drawing.ts';
import { html, useEffect, useMemo } from './html.ts';
import { letterChanges, tail } from './live.ts';
import { Loading, Notice } from './parts/notice.ts';
import { Panel, Table, Title } from './parts/panel.ts';
import { Badge } from './parts/words.ts';
import { Tail } from './tail.ts';

/** Home: where events go, and what happens now. */
export function FlowPage() {
  const map = useRepeated(() => api.map(), [], 5);
  const functions = useRepeated(() => api.functions(), [], 5);
  const letters = useRepeated(() => api.deadLetters('open'), [], 15);
  useAgainAt(letters, letterChanges.value);
  const doctor = useRepeated(() => api.doctor(), [], 60);
  const news = tail.value;
  useEffect(() => wantDeliveries(news.slice(0, 200)), [news]);
  const rows = news.flatMap(({ seq }) => deliveries.value.get(seq) ?? []);
  const served = useMemo(
    () => (map.value === undefined ? new Map<string, string>() : servedIn(map.value)),
    [map.value],
  );
  const open = (letters.value?.letters ?? []).map(functionOf);
  const dead = open.map((name) => served.get(name) ?? name);
  const facts = factsOf(summariesOf(rows, served), processesIn(functions.value ?? []), dead);
  return html`<${Title} title="Flow" note="From what changes in the cluster to the functions that it wakes, and what they make." />
    <${Broken} findings=${doctor.value?.findings ?? []} />
    <div class="columns flow">
      <${Panel} title="Where events go" note=${noDeliveries.value || 'figures of the last events'}>
        ${map.error ? html`<${Notice} error=${map.error} what="where events go" />` : null}
        ${map.isLoading && !map.value && !map.error ? html`<${Loading} what="the map" />` : null}
        ${map.value ? html`<${Drawn} map=${map.value} facts=${facts} busy=${busyIn(rows, Date.now())} />` : null}<//>
      <${Tail} />
    </div>`;
}

interface DrawnParts {
  readonly map: EventMap;
  readonly facts: ReadonlyMap<string, NodeFacts>;
  readonly busy: ReadonlySet<string>;
}

function Drawn({ map, facts, busy }: DrawnParts) {
  const flow = useMemo(() => flowOf(map), [map]);
  const rows = map.ways.flatMap(({ source, about, to }) =>
    to.map((stop) => [source, about, stop.trigger, stop.function, stop.makes.join(', ')]),
  );
  return html`<${FlowDrawing} flow=${flow} facts=${facts} busy=${busy} />
    <details class="twin"><summary>As tables</summary>
      <${Table} label="Functions" heads=${['function', 'state', 'done', 'ignored', 'failed', 'last cold start', 'p95', 'dead letters']}
        numbers=${[2, 3, 4, 5, 6, 7]} rows=${[...facts].map(([name, one]) => [
          name,
          one.state,
          one.done,
          one.ignored,
          one.failed,
          one.coldMs === undefined ? '' : durationOf(one.coldMs),
          durationOf(one.p95),
          one.deadLetters,
        ])} />
      <${Table} label="Ways" heads=${['source', 'about', 'Trigger', 'function', 'makes']} rows=${rows} /></details>`;
}

function factsOf(
  summaries: readonly Summary[],
  states: readonly FunctionState[],
  dead: readonly string[],
): ReadonlyMap<string, NodeFacts> {
  const sums = new Map(summaries.map((one) => [one.function, one]));
  const names = new Set([...states.map(({ name }) => name), ...sums.keys()]);
  return new Map(
    [...names].map((name) => {
      const { done = 0, ignored = 0, failed = 0, p95 = 0, lastColdMs, calls = [] } = sums.get(name) ?? {};
      const state = wordOf(states.find((one) => one.name === name));
      const deadLetters = dead.filter((one) => one === name).length;
      return [name, { state, done, ignored, failed, p95, coldMs: lastColdMs, deadLetters, calls }];
    }),
  );
}

/** What the doctor found is shown where a person looks first. */
function Broken({ findings }: { readonly findings: readonly Finding[] }) {
  const problems = findings.filter(({ level }) => level === 'problem');
  if (problems.length === 0) return null;
  return html`<p class="notice bad"><${Badge} of="failed" word=${`${problems.length} problems`} />
    ${' '}${problems[0]?.what}. <a href="#/doctor">The doctor says what to do</a></p>`;
}
