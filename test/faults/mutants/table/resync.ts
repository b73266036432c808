import type { Mutant } from '../mutant.ts';

const page = 'src/resync/page.ts';
const due = 'functions/resync-due.ts';

/** The resync: that it reaches everybody, page by page and kind by kind. */
export const resyncMutants: readonly Mutant[] = [
  {
    id: 'resync-of-the-first-page',
    says: 'The resync asks after the first page of each kind',
    after: 'resync without paging',
    edits: [
      {
        file: page,
        from: "return next === '' ? firstOfNext(cursor, kinds) :",
        to: 'return next !== undefined ? firstOfNext(cursor, kinds) :',
      },
    ],
    near: ['resync-of-many'],
    layer: 'losses',
  },
  {
    id: 'continuation-dropped',
    says: 'What one invocation of the resync could not do is left, and no event goes on with it',
    after: 'X1: the tail is never reached',
    edits: [
      {
        file: due,
        from: 'if (next !== undefined) return { ...outcome, reply: continuationOf(next, timeOf(context.now() / 1000)) };',
        to: 'if (next !== undefined) return outcome;',
      },
    ],
    near: ['resync-of-more'],
    shownBy: { kind: 'W17-all-slow' },
    layer: 'faults',
  },
  {
    id: 'resync-of-the-first-kind',
    says: 'The resync asks after DistributedServices and forgets Messages',
    after: 'X1: the tail is never reached',
    edits: [
      {
        file: page,
        from: 'const next = kinds[kinds.findIndex(({ kind }) => kind === cursor.kind) + 1];',
        to: 'const next = kinds.slice(1).find(({ kind }) => kind === cursor.kind);',
      },
    ],
    near: ['create-tcp', 'message-create'],
    layer: 'losses',
  },
  {
    id: 'resync-place-in-memory',
    says: 'How far the resync came is kept in memory, and the next tick goes on from there',
    after: '3.3: state in memory; X1: always dies at the same place',
    edits: [
      {
        file: due,
        from: 'const { cursor, round } = entry;',
        to: 'const { round } = entry;\n  const cursor = place ?? entry.cursor;\n  place = { ...cursor, kind: kindsIn(cursor.round, [...parentKinds, ...childKinds]).at(-1)?.kind ?? cursor.kind };',
      },
      {
        file: due,
        from: 'async function askAfterAll(',
        to: 'let place: Parameters<typeof announceParents>[0] | undefined;\n\nasync function askAfterAll(',
      },
      {
        file: due,
        from: "import { announceParents } from '../src/resync/page.ts';",
        to: "import { kindsIn } from '../src/resync/order.ts';\nimport { announceParents } from '../src/resync/page.ts';",
      },
    ],
    near: ['create-tcp', 'message-create'],
    layer: 'losses',
  },
  {
    id: 'expired-token-ends-the-round',
    says: 'A list that expired between two pages counts as read',
    after: 'R3 of the reads: 410 on a later page',
    edits: [{ file: page, from: 'if (restarts >= mostRestarts) return', to: 'if (restarts < mostRestarts) return' }],
    near: ['resync-of-many'],
    shownBy: { kind: 'R3', call: 'list messages' },
    layer: 'faults',
  },
];
