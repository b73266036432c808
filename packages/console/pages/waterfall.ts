import { functionOf } from '../model/letters.ts';
import type { DeadLetter, Delivery, RecordedEvent } from '../model/types.ts';
import { type Bar, durationOf, endOf, type Lane, tracesOf, waterfallOf } from '../model/waterfall.ts';
import { html } from './html.ts';
import { Copy } from './parts/buttons.ts';
import { Twin } from './parts/panel.ts';
import { Badge, Outcome, Time } from './parts/words.ts';

const words = { wait: 'waiting', cold: 'cold start', work: 'work', failed: 'failed', letter: 'dead letter' } as const;
const height = 26;
const left = 168;
const width = 720;

interface WaterfallParts {
  readonly event: RecordedEvent;
  readonly tries: readonly Delivery[];
  readonly letters: readonly DeadLetter[];
}

/** Where the time of an event went: a lane for each function, at whose end the dead letter is; and its traces. */
export function Waterfall({ event, tries, letters }: WaterfallParts) {
  const lanes = waterfallOf(event, { tries, letters });
  const end = endOf(lanes);
  const scale = (ms: number): number => left + (ms / end) * (width - left - 70);
  const parts = [...new Set(lanes.flatMap(({ bars }) => bars.map(({ part }) => part)))];
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Waterfall">
    <svg class="waterfall" viewBox=${`0 0 ${width} ${lanes.length * height + 24}`} role="img"
      aria-label=${`Waterfall of event ${event.seq}: ${lanes.length} lanes, ${durationOf(end)} in all. The table below says the same.`}>
      ${ticksOf(end).map(
        (
          tick,
        ) => html`<g class="tick"><line x1=${scale(tick)} x2=${scale(tick)} y1="18" y2=${lanes.length * height + 22} />
        <text x=${scale(tick)} y="12">${durationOf(tick)}</text></g>`,
      )}
      ${lanes.map((lane, index) => html`<${LaneOf} lane=${lane} y=${22 + index * height} scale=${scale} />`)}
    </svg></div>
    <p class="legend">${parts.map((part) => html`<span class=${part}><i aria-hidden="true"></i>${words[part]}</span>`)}</p>
    <${Traces} of=${tries} />
    <${Twin} label="Tries" heads=${['function', 'try', 'at', 'outcome', 'cold', 'work', 'reads', 'writes', 'trace']}
      numbers=${[1, 4, 5, 6, 7]} rows=${[...tries.map(rowOf), ...letters.map(letterRow)]} />`;
}

/** The trace ids as texts, each with a button that copies it: an event that was sent again may have several. */
function Traces({ of }: { readonly of: readonly Delivery[] }) {
  return tracesOf(of).map(
    ({ id, functions }) => html`<p class="trace">trace <code>${id}</code> <${Copy} text=${() => id}>Copy trace id<//>
      ${' '}<span class="note">${functions.join(', ')}</span></p>`,
  );
}

function rowOf(one: Delivery): readonly unknown[] {
  const cold = one.coldMs ? durationOf(one.coldMs) : '';
  const { attempt, ms, reads, writes, traceId = '' } = one;
  const at = html`<${Time} at=${one.at} />`;
  const trace = html`<code>${traceId}</code>`;
  return [one.function, attempt, at, html`<${Outcome} delivery=${one} />`, cold, durationOf(ms), reads, writes, trace];
}

function letterRow(letter: DeadLetter): readonly unknown[] {
  const { state, times, last } = letter;
  const outcome = html`<a href="#/dead-letters?state=all">dead letter</a> <${Badge} of=${state} />${times > 1 ? ` ${times} times` : ''}`;
  return [functionOf(letter), '', html`<${Time} at=${last} />`, outcome, '', '', '', '', ''];
}

interface LaneParts {
  readonly lane: Lane;
  readonly y: number;
  readonly scale: (ms: number) => number;
}

function LaneOf({ lane: { title, bars }, y, scale }: LaneParts) {
  const last = bars.at(-1);
  return html`<g><text class="lane" x="0" y=${y + 15}>${title}</text>
    ${bars.map((bar) => html`<${BarOf} bar=${bar} y=${y} scale=${scale} />`)}
    ${last ? html`<text class="sum" x=${scale(last.from + last.ms) + 6} y=${y + 15}>${last.part === 'letter' ? words.letter : durationOf(last.ms)}</text>` : null}</g>`;
}

function BarOf({ bar, y, scale }: { readonly bar: Bar; readonly y: number; readonly scale: LaneParts['scale'] }) {
  const from = scale(bar.from);
  // The Broker gives up within milliseconds of the last try: a person sees it all the same.
  const long = Math.max(bar.part === 'letter' ? 5 : 2, scale(bar.from + bar.ms) - from);
  return html`<rect class=${bar.part} x=${from} y=${y + 4} width=${long} height="15" rx="3">
    <title>${`${bar.label}: ${durationOf(bar.ms)}${bar.note ? ` (${bar.note})` : ''}`}</title></rect>`;
}

/** Four round numbers of milliseconds, or a few more. */
function ticksOf(end: number): readonly number[] {
  const rough = end / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
}
