import type { Mutant } from '../mutant.ts';

const page = 'packages/controller/resync/page.ts';
const due = 'packages/controller/functions/resync-due.ts';
const enter = 'packages/controller/resync/enter.ts';
/** The simulation keeps no rounds. */
const oneRound = 'packages/controller/test/resync/one-round.test.ts';

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
        from: 'const next = kinds[indexOfList(cursor, kinds) + 1];',
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
        to: 'const { round } = entry;\n  const cursor = place ?? entry.cursor;\n  const last = kindsIn(cursor.round, [...parentKinds, ...looked]).at(-1);\n  const { isOfChildren: _, ...at } = cursor;\n  place = { ...at, ...(last && listOf(last)) };',
      },
      {
        file: due,
        from: 'async function askAfterAll(',
        to: 'let place: Parameters<typeof announceParents>[0] | undefined;\n\nasync function askAfterAll(',
      },
      {
        file: due,
        from: "import { continuationOf, type Kind } from '../resync/cursor.ts';",
        to: "import { continuationOf, type Kind, listOf } from '../resync/cursor.ts';",
      },
      {
        file: due,
        from: "import { announceParents } from '../resync/page.ts';",
        to: "import { kindsIn } from '../resync/order.ts';\nimport { announceParents } from '../resync/page.ts';",
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
  {
    id: 'round-without-a-key',
    says: 'A continuation of the round that is under way needs not show its key',
    after: 'finding 7: a forged event of a round is believed',
    edits: [
      {
        file: enter,
        from: 'if (round === undefined || shown === undefined) return',
        to: 'if (round === undefined) return',
      },
      { file: enter, from: '  if (shown !== round.key && shown !== round.before) return undefined;\n', to: '' },
      { file: enter, from: 'if (shown === round.key && step === round.step + 1)', to: 'if (step === round.step + 1)' },
      {
        file: enter,
        from: 'return shown === round.before && step === round.step ?',
        to: 'return step === round.step ?',
      },
    ],
    near: [],
    shownBy: { test: oneRound },
  },
  {
    id: 'living-round-begun-over',
    says: 'A tick begins a round also where another is under way',
    after: 'finding 8: thirty ticks are thirty rounds',
    edits: [
      {
        file: enter,
        from: 'if (round === undefined || !isAlive(round, now)) return {',
        to: 'if (round === undefined || round !== wanted) return {',
      },
    ],
    near: [],
    shownBy: { test: oneRound },
  },
  {
    id: 'time-of-the-event-believed',
    says: 'A round began when the event that begins it says',
    after: 'finding 7: a time of the future is kept, and nobody is alerted',
    edits: [
      { file: enter, from: "before: '', began: now(),", to: "before: '', began: Date.parse(received.time ?? '')," },
      {
        file: enter,
        from: 'return { ...wanted, key, began: now, seen: now };',
        to: 'return { ...wanted, key, seen: now };',
      },
    ],
    near: [],
    shownBy: { test: oneRound },
  },
  {
    id: 'first-lease-taken-twice',
    says: 'Who has found no Lease writes over what another has written since',
    after: 'R2: of two ticks that overlapped on a new cluster both were a round',
    edits: [
      {
        file: 'packages/controller/cluster/lease.ts',
        from: 'if (Object.keys({ ...metadata.annotations, ...spec }).length > 0)',
        to: "if (metadata.name === '')",
      },
    ],
    near: [],
    shownBy: { test: 'packages/controller/test/cluster/lease.test.ts' },
  },
];
