import { Graph, layout } from '@dagrejs/dagre';
import { keeper } from './outcomes.ts';
import type { EventMap } from './types.ts';

export type NodeKind = 'source' | 'broker' | 'trigger' | 'function' | 'child' | 'nowhere';

/** A node of the flow; x and y are its middle. */
export interface FlowNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Of a Trigger: the function that it calls. */
  readonly calls?: string;
}

export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Flow {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly width: number;
  readonly height: number;
}

type Part = Pick<FlowNode, 'id' | 'kind' | 'label' | 'calls'>;

const sizes: Readonly<Record<NodeKind, readonly [number, number]>> = {
  source: [142, 30],
  broker: [76, 34],
  trigger: [228, 26],
  function: [178, 62],
  child: [112, 24],
  nowhere: [150, 26],
};

/** Sources → Broker → Triggers → functions → what they make, laid out from left to right. The event log's own Trigger is left out: it takes everything. */
export function flowOf(map: EventMap): Flow {
  const parts = partsOf(map);
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 9, ranksep: 34, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, kind } of parts.nodes.values()) {
    const [width, height] = sizes[kind];
    graph.setNode(id, { width, height });
  }
  for (const [from, to] of parts.edges) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    nodes: [...parts.nodes.values()].map((part) => ({
      ...part,
      ...(graph.node(part.id) as Omit<FlowNode, keyof Part>),
    })),
    edges: parts.edges.map(([from, to]) => ({ from, to, points: graph.edge(from, to).points ?? [] })),
    width,
    height,
  };
}

/** The process that serves a function: `distributed-service` of `distributed-service/pod-changed`. */
export function processOf(name: string): string {
  return name.split('/')[0] ?? name;
}

/** The process that serves each function, by the function's own name, as deliveries have it. */
export function servedIn({ ways }: EventMap): ReadonlyMap<string, string> {
  const names = ways.flatMap(({ to }) => to.map((stop) => stop.function));
  return new Map(names.map((name) => [ownNameOf(name), processOf(name)]));
}

/** `pod-changed` of `distributed-service/pod-changed`. */
function ownNameOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function partsOf({ ways }: EventMap) {
  const nodes = new Map<string, Part>();
  const edges = new Map<string, readonly [string, string]>();
  const add = (kind: NodeKind, label: string, calls?: string): string => {
    const id = `${kind}:${label}`;
    nodes.set(id, { id, kind, label, ...(calls !== undefined && { calls }) });
    return id;
  };
  const join = (from: string, to: string): void => void edges.set(`${from} ${to}`, [from, to]);
  const broker = add('broker', 'Broker');
  for (const { source, about, to } of ways) {
    join(add('source', source), broker);
    if (to.length === 0) join(broker, add('nowhere', `no Trigger: ${about}`));
    for (const { trigger, function: name, makes } of to.filter((stop) => processOf(stop.function) !== keeper)) {
      const subscriber = add('function', processOf(name));
      const filter = add('trigger', trigger, ownNameOf(name));
      join(broker, filter);
      join(filter, subscriber);
      for (const child of makes) join(subscriber, add('child', child));
    }
  }
  return { nodes, edges: [...edges.values()] };
}
