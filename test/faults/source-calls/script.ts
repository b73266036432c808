import { watchedOf } from '../../../packages/source/watched.ts';
import type { Cluster } from './cluster.ts';

/** What the source watches: whole objects, a selection of them, and metadata alone. */
export const watched = watchedOf(
  [
    {
      mode: 'Resource',
      resources: [
        { apiVersion: 'v1', kind: 'Pod', selector: '' },
        { apiVersion: 'v1', kind: 'ConfigMap', selector: 'app=knudge' },
      ],
    },
    { mode: 'Reference', resources: [{ apiVersion: 'v1', kind: 'Secret', selector: '' }] },
  ],
  { namespaces: [], looksAt: { '/Pod': ['phase'] } },
);

/** What happens besides edits, where nothing fails. */
export interface Stage {
  readonly cluster: Cluster;
  /** The source is told to leave, and leaves in good order. */
  leave(): void;
  enter(): void;
  /** The API server sends every watch a bookmark. */
  bookmark(): void;
  /** The API server ends every watch, in good order. */
  endWatches(): void;
}

type Step = readonly [ms: number, happens: (stage: Stage) => void];

const pod = (place: string, phase: string, startTime = phase) => {
  return ({ cluster }: Stage): void => cluster.put('Pod', place, { status: { phase, startTime } });
};
const map = (place: string, text: string, labels: Readonly<Record<string, string>> = { app: 'knudge' }) => {
  return ({ cluster }: Stage): void => cluster.put('ConfigMap', place, { data: { text }, labels });
};
const secret = (place: string, text: string) => {
  return ({ cluster }: Stage): void => cluster.put('Secret', place, { data: { text } });
};
const gone = (kind: string, place: string) => {
  return ({ cluster }: Stage): void => cluster.remove(kind, place);
};
const all = (...happen: readonly ((stage: Stage) => void)[]) => {
  return (stage: Stage): void => {
    for (const each of happen) each(stage);
  };
};

/** Before the source is there for the first time. */
export const given = all(
  ...[pod('shop/a', 'Running'), pod('shop/b', 'Running'), pod('lab/c', 'Running')],
  ...[pod('lab/still', 'Running'), map('shop/conf', '1'), secret('shop/key', '1')],
);

/** Beside each other: changes, changes back, objects that go and come again under the same name, and what nobody looks at. */
export const script: readonly Step[] = [
  [0, (stage) => stage.enter()],
  [150, all(pod('shop/a', 'Pending'), pod('shop/b', 'Running', 'a heartbeat'))],
  [300, all(pod('lab/d', 'Running'), map('shop/conf', '2'))],
  [450, all(pod('shop/a', 'Running'), secret('shop/key', '2'))],
  [650, gone('Pod', 'shop/b')],
  [660, pod('shop/b', 'Pending')],
  // Sent while what is noted is written, and then as it was before.
  [820, pod('lab/late', 'Failed')],
  [893, pod('lab/late', 'Pending')],
  [900, all(map('shop/conf', '2', {}), map('lab/conf', '1'))],
  [1000, pod('lab/late', 'Failed')],
  // Each while the one before is under way.
  [1100, all(pod('shop/a', 'Failed'), pod('lab/burst', 'Failed'))],
  [1104, all(pod('shop/a', 'Running'), pod('lab/burst', 'Running'))],
  [1108, pod('shop/a', 'Failed')],
  [1160, pod('lab/burst', 'Failed')],
  [1300, all(gone('Pod', 'lab/d'), map('shop/conf', '2'))],
  [1690, pod('lab/c', 'Pending')],
  // What is under way when it leaves, and what happens while nobody looks.
  [1698, all(pod('shop/b', 'Running'), (stage) => stage.leave())],
  [1800, all(pod('shop/a', 'Running'), gone('Pod', 'shop/b'), pod('lab/e', 'Running'))],
  [1810, all(gone('Secret', 'shop/key'), secret('shop/key', '3'))],
  [2000, (stage) => stage.enter()],
  [2300, all(pod('lab/e', 'Pending'), pod('shop/b', 'Running'), pod('shop/a', 'Running', 'a heartbeat'))],
  // The watches end, and before they go on what they would go on from has expired.
  [
    2700,
    all(
      (stage) => stage.endWatches(),
      ...[gone('Pod', 'lab/c'), pod('shop/a', 'Failed'), map('lab/new', '1'), secret('shop/key', '4')],
      ...[gone('Pod', 'lab/e'), pod('lab/e', 'Pending'), pod('shop/b', 'Failed'), pod('shop/b', 'Running')],
      ...[gone('ConfigMap', 'lab/conf'), (stage: Stage) => stage.cluster.compact()],
    ),
  ],
  [4600, all(pod('shop/a', 'Pending'), secret('lab/other', '1'), (stage) => stage.bookmark())],
  [4750, all(gone('ConfigMap', 'lab/new'), map('shop/conf', '3'))],
  [5200, all((stage) => stage.endWatches(), pod('shop/a', 'Running'))],
  [5500, all(pod('lab/e', 'Failed'), gone('Secret', 'lab/other'))],
  [5540, pod('lab/e', 'Pending')],
];

/** What happens once all is calm: it must still be sent. */
export const coda = all(
  ...[pod('shop/a', 'Failed'), gone('Pod', 'lab/e'), pod('lab/z', 'Running')],
  ...[map('shop/conf', '4'), secret('shop/key', '5')],
);
