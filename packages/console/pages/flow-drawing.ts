import { type Flow, type FlowEdge, type FlowNode, processOf } from '../model/flow-graph.ts';
import { hashOf } from '../model/route.ts';
import { durationOf } from '../model/waterfall.ts';
import { html } from './html.ts';

/** What a function does now, and did with the last events. */
export interface NodeFacts {
  readonly state: string;
  readonly done: number;
  readonly ignored: number;
  readonly failed: number;
  readonly p95: number;
  readonly coldMs: number | undefined;
  readonly deadLetters: number;
  readonly calls: readonly (readonly [string, number])[];
}

interface DrawingParts {
  readonly flow: Flow;
  readonly facts: ReadonlyMap<string, NodeFacts>;
  /** The functions that had an event in the last minute. */
  readonly busy: ReadonlySet<string>;
}

/** The way of events as a drawing; the tables below it say the same. */
export function FlowDrawing({ flow, facts, busy }: DrawingParts) {
  const calls = new Map<string, number>([...facts.values()].flatMap((one) => one.calls));
  const rates = new Map(flow.nodes.map((node) => [node.id, calls.get(node.calls ?? '')]));
  const isBusy = new Map(flow.nodes.map((node) => [node.id, busy.has(node.calls ?? '')]));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Drawing of the flow">
    <svg class="drawing" viewBox=${`0 0 ${flow.width} ${flow.height}`} role="group"
      aria-label="Sources, Broker, Triggers, functions and what they make. The tables below say the same.">
      ${flow.edges.map((edge) => html`<${Edge} edge=${edge} isBusy=${isBusy.get(edge.from) || isBusy.get(edge.to)} />`)}
      ${flow.nodes.map((node) => html`<${Node} node=${node} facts=${facts.get(processOf(node.label))} rate=${rates.get(node.id)} />`)}
    </svg></div>`;
}

function Edge({ edge, isBusy }: { readonly edge: FlowEdge; readonly isBusy: boolean }) {
  const kind = edge.to.startsWith('nowhere:') ? 'edge dashed' : isBusy ? 'edge busy' : 'edge';
  return html`<path class=${kind} d=${pathOf(edge.points)} />`;
}

/** A smooth line through the middle of each two points. */
function pathOf(points: FlowEdge['points']): string {
  const [first, ...others] = points;
  if (first === undefined) return '';
  const last = others.at(-1) ?? first;
  const middle = (first.x + last.x) / 2;
  return `M${first.x},${first.y}C${middle},${first.y} ${middle},${last.y} ${last.x},${last.y}`;
}

interface NodeParts {
  readonly node: FlowNode;
  readonly facts: NodeFacts | undefined;
  /** Of the last events, those that the function of a Trigger has answered. */
  readonly rate: number | undefined;
}

function Node({ node, facts, rate }: NodeParts) {
  const { kind, label, x, y, width, height } = node;
  const box = html`<g class=${`node ${kind} ${facts && facts.failed > 0 && kind === 'function' ? 'bad' : ''}`}
      transform=${`translate(${x - width / 2},${y - height / 2})`}>
    <rect width=${width} height=${height} rx=${kind === 'function' ? 8 : height / 2} />
    ${kind === 'function' ? html`<${FunctionText} label=${label} facts=${facts} />` : html`<${PlainText} node=${node} rate=${rate} />`}</g>`;
  return kind === 'function' ? html`<a href=${hashOf(['functions'])}>${box}</a>` : box;
}

function PlainText({ node: { kind, label, width, height }, rate }: Pick<NodeParts, 'node' | 'rate'>) {
  const short = kind === 'source' ? label.replace(/^\w+ \w+\//, '') : label;
  const most = Math.floor(width / 6.6);
  const text = short.length > most ? `${short.slice(0, most - 1)}…` : short;
  if (kind !== 'trigger') {
    return html`<title>${label}</title><text x=${width / 2} y=${height / 2 + 4} class="middle">${text}</text>`;
  }
  return html`<title>${label}</title><text x="12" y=${height / 2 + 4}>${text}</text>
    ${rate ? html`<text x=${width - 12} y=${height / 2 + 4} class="end">${rate}</text>` : null}`;
}

function FunctionText({ label, facts }: { readonly label: string; readonly facts: NodeFacts | undefined }) {
  const { state = 'unknown', done = 0, ignored = 0, failed = 0, coldMs, deadLetters = 0 } = facts ?? {};
  const cold = coldMs === undefined ? '' : ` · cold ${durationOf(coldMs)}`;
  return html`<text x="12" y="20" class="strong">${label}</text>
    <text x="12" y="36" class="small">${signOf(state)} ${state}${cold}</text>
    <text x="12" y="52" class="small">✓ ${done}  ○ ${ignored}  ✕ ${failed}${deadLetters > 0 ? `  ! ${deadLetters} dead` : ''}</text>`;
}

function signOf(state: string): string {
  if (state === 'asleep') return '☾';
  return state === 'crashing' ? '✕' : state === 'unknown' ? '?' : '●';
}
