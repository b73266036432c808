import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeptObject } from '../../api/kept-object.ts';
import { summarised } from '../../api/summaries.ts';

const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
const entry = (manager: string, time: string, subresource?: string) => ({
  manager,
  time,
  ...(subresource !== undefined && { subresource }),
});
const [kubectl, knudge] = [entry('kubectl', late), entry('knudge', late, 'status')];
/** As the API server lists them: what was applied is first, whenever that was. */
const both = [knudge, kubectl];

const object = (text: string, phase: string, managedFields: KeptObject['metadata']['managedFields'] = both) => ({
  metadata: { uid: 'u', managedFields },
  spec: { text },
  status: { phase },
});
const former = object('a', 'Pending');
const another = { ...former, metadata: { uid: 'v', managedFields: [] } };

const rows: readonly (readonly [string, string | undefined, KeptObject, KeptObject | undefined])[] = [
  ['a status in the second of the edit', 'knudge', object('a', 'Processed'), former],
  ['an edit in the second of the status', 'kubectl', object('b', 'Pending'), former],
  ['labels', 'kubectl', { ...former, metadata: { ...former.metadata, labels: { app: 'x' } } }, former],
  ['nothing that the log keeps', 'knudge', former, former],
  ['a version whose former is not known', 'knudge', former, undefined],
  ['what was only removed', undefined, object('a', 'b', [knudge]), former],
  ['a version after another object of the name', 'knudge', former, another],
  [
    'a status later than the edit',
    'knudge',
    object('b', 'Pending', [entry('kubectl', early), knudge]),
    object('a', 'a', [entry('kubectl', early)]),
  ],
  [
    'a status by somebody who writes it with the rest',
    'kubectl',
    object('a', 'x', [kubectl]),
    object('a', 'b', [kubectl]),
  ],
];

/** Who is named in a list of the two versions, newest first; the second may be missing in the log. */
async function writerOf(version: KeptObject, before: KeptObject | undefined): Promise<string | undefined> {
  const log = { events: async () => [], deliveries: async () => [] };
  const event = { recorded: late, time: late, source: '/s', type: 'dev.knative.apiserver.resource.update' };
  const about = { kind: 'Message', namespace: 'shop', name: 'hello', extensions: {} };
  const versions = before === undefined ? [version] : [version, before];
  const page = versions.map((data, index) => ({ ...event, ...about, seq: 2 - index, id: `e-${index}`, data }));
  const [newest] = await summarised(log, page);
  return newest?.by;
}

for (const [what, manager, version, before] of rows) {
  test(`the writer of ${what} is ${manager ?? 'not known'}`, async () =>
    assert.equal(await writerOf(version, before), manager));
}

test('of an object without managedFields nobody knows the writer', async () =>
  assert.equal(await writerOf(object('a', 'b', []), former), undefined));
