import type { Mutant } from '../mutant.ts';

const [follow, hand, known, view] = ['follow', 'hand', 'known', 'view'].map((name) => `packages/source/${name}.ts`) as [
  string,
  string,
  string,
  string,
];
const lost = "Knudge's own source: an event that is lost";

/** Of Knudge's own source, which the simulation has only as what it leaves out. */
export const sourceMutants: readonly Mutant[] = [
  {
    id: 'source-two-write-one-file',
    says: 'A source whose file another one has taken over goes on writing into it',
    after: `${lost}: older notes over newer ones`,
    edits: [
      {
        file: known,
        from: "if (prepared.owner.get()?.['id'] !== id) throw",
        to: "if (prepared.owner.get()?.['id'] === '') throw",
      },
    ],
    near: [],
    shownBy: { test: 'packages/source/test/known.test.ts' },
  },
  {
    id: 'source-notes-after-sending',
    says: 'An object is noted only once its event was taken',
    after: `${lost}: told, killed, and then compared`,
    edits: [
      { file: hand, from: 'if (announced !== undefined) known.expect(', to: 'if (announced === null) known.expect(' },
    ],
    near: [],
    shownBy: { test: 'packages/source/test/two.test.ts' },
  },
  {
    id: 'source-notes-too-early',
    says: 'An object is noted as soon as it is read, over the one before it whose end was not taken yet',
    after: `${lost}: the end of an object that waited when it was killed`,
    edits: [
      {
        file: hand,
        from: 'const done = mark.begin(at);',
        to: 'expects(object, announced);\n    const done = mark.begin(at);',
      },
    ],
    near: [],
    shownBy: { test: 'packages/source/test/two.test.ts' },
  },
  {
    id: 'source-place-before-taken',
    says: 'The place of a watch moves on with what was read, be it taken or not',
    after: `${lost}: read, killed, never sent`,
    edits: [{ file: hand, from: 'const done = mark.begin(at);', to: 'const done = mark.begin(at);\n    done();' }],
    near: [],
    shownBy: { test: 'packages/source/test/follow.test.ts' },
  },
  {
    id: 'source-no-tombstones',
    says: 'What is gone when a collection is compared is told by nobody',
    after: `${lost}: a deletion while it was away`,
    edits: [{ file: follow, from: '.values()) {', to: '.values().take(0)) {' }],
    near: [],
    shownBy: { test: 'packages/source/test/follow.test.ts' },
  },
  {
    id: 'source-any-status-is-ours',
    says: 'The status of a parent is never looked at, whoever wrote it',
    after: 'a filter that takes a needed event',
    edits: [
      {
        file: view,
        from: "=== 'of others') return isOfOthers && status",
        to: "=== 'of others') return !isOfOthers && null",
      },
    ],
    near: [],
    shownBy: { test: 'packages/source/test/view.test.ts' },
  },
  {
    id: 'source-no-spec',
    says: 'A change of the spec is left out like a heartbeat',
    after: 'a filter that takes a needed event',
    edits: [{ file: view, from: 'JSON.stringify([kept, rest, looked])', to: 'JSON.stringify([kept, looked])' }],
    near: [],
    shownBy: { test: 'packages/source/test/view.test.ts' },
  },
  {
    id: 'source-late-note-over-expectation',
    says: 'What was noted before an object is about to be told again is written over that',
    after: `${lost}: told, killed, and then as it was before`,
    edits: [{ file: known, from: 'noted.delete(keyOf(watch, object));', to: 'keyOf(watch, object);' }],
    near: [],
    shownBy: { test: 'test/faults/source-calls/telling.faults.test.ts' },
  },
  {
    id: 'source-forgets-what-waits',
    says: 'What was taken counts as told last, while a later state waits to be told',
    after: `${lost}: changed back while the change waits`,
    edits: [{ file: hand, from: 'if (underWay.get(object) === announced) {', to: 'if (underWay.has(object)) {' }],
    near: [],
    shownBy: { test: 'test/faults/source-calls/telling.faults.test.ts' },
  },
  {
    id: 'source-first-page-alone',
    says: 'Of a list no more than the first page is read',
    after: `${lost}: more objects than one page`,
    edits: [{ file: follow, from: 'token = page.next;', to: "token = '';" }],
    near: [],
    shownBy: { test: 'test/faults/source-calls/telling.faults.test.ts' },
  },
  {
    id: 'source-newest-first',
    says: 'Of the events of one object that wait, the order turns round with each that is taken',
    after: 'an older state that is told last',
    edits: [
      {
        file: 'packages/source/lanes.ts',
        from: 'const first = lane.parcels.shift();',
        to: 'const first = lane.parcels.shift();\n    lane.parcels.reverse();',
      },
    ],
    near: [],
    shownBy: { test: 'test/faults/source-calls/telling.faults.test.ts' },
  },
];
