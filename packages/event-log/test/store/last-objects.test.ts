import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RecordedEvent } from '../../../controller/domain/event-log.ts';
import { lastObjects } from '../../store/last-objects.ts';

interface Happened {
  readonly verb: 'add' | 'update' | 'delete';
  readonly uid?: string;
  readonly version?: string;
  readonly created?: string;
  readonly text?: string;
  readonly name?: string;
  readonly more?: object;
  /** In Reference mode. */
  readonly ref?: true;
}

function eventOf({ verb, uid = 'u', version = '1', created = '2026-03-01T12:00:00Z', ...rest }: Happened, seq: number) {
  const { text = 'hi', name = 'hello', more = {}, ref } = rest;
  const metadata = { name, namespace: 'shop', uid, resourceVersion: version, creationTimestamp: created, ...more };
  const object = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata, spec: { text }, status: { phase: 'Ready' } };
  const reference = { apiVersion: 'myorg.dev/v1', kind: 'Message', name, namespace: 'shop' };
  const event: RecordedEvent = {
    seq,
    recorded: created,
    id: `e-${seq}`,
    source: '/s',
    time: created,
    extensions: {},
    type: `dev.knative.apiserver.${ref ? 'ref' : 'resource'}.${verb}`,
    kind: 'Message',
    namespace: 'shop',
    name,
    data: ref ? reference : object,
  };
  return event;
}

async function textsAfter(...happened: readonly Happened[]): Promise<readonly unknown[]> {
  const { objects } = await lastObjects(streamOf(happened.map(eventOf)));
  return objects.map((one) => (one as unknown as { spec: { text: string } }).spec.text);
}

async function* streamOf(events: readonly RecordedEvent[]): AsyncGenerator<RecordedEvent> {
  yield* events;
}

suite('the last state of an object', () => {
  const rows: readonly [sentence: string, happened: readonly Happened[], texts: readonly string[]][] = [
    ['is that of its last event', [{ verb: 'add' }, { verb: 'update', version: '12', text: 'new' }], ['new']],
    [
      'is not that of an event that came late',
      [
        { verb: 'update', version: '12', text: 'new' },
        { verb: 'add', version: '9' },
      ],
      ['new'],
    ],
    [
      'is that of the last one where versions say nothing',
      [
        { verb: 'add', version: 'x', text: 'a' },
        { verb: 'update', version: 'a', text: 'b' },
      ],
      ['b'],
    ],
    ['is none where it was deleted', [{ verb: 'add' }, { verb: 'delete', version: '3' }], []],
    [
      'is none where it was deleted and an older event came late',
      [
        { verb: 'delete', version: '3' },
        { verb: 'update', version: '2' },
      ],
      [],
    ],
    [
      'is none where it is on its way out',
      [{ verb: 'add' }, { verb: 'update', version: '2', more: { deletionTimestamp: '2026-03-01T13:00:00Z' } }],
      [],
    ],
    ['is none where a reference says that it is deleted', [{ verb: 'add' }, { verb: 'delete', ref: true }], []],
    ['is not lost by a reference that says nothing new', [{ verb: 'add' }, { verb: 'update', ref: true }], ['hi']],
    [
      'is none where only references came',
      [
        { verb: 'add', ref: true },
        { verb: 'delete', ref: true },
      ],
      [],
    ],
    [
      'is that of the one that was made anew',
      [{ verb: 'add' }, { verb: 'delete' }, { verb: 'add', uid: 'v', created: '2026-03-01T12:05:00Z', text: 'again' }],
      ['again'],
    ],
    [
      'is that of the one that was made anew, also where the end of the first comes late',
      [{ verb: 'add', uid: 'v', created: '2026-03-01T12:05:00Z', text: 'again' }, { verb: 'delete' }],
      ['again'],
    ],
    [
      'is that of the one that was made anew within the same second',
      [
        { verb: 'add', uid: 'v', version: '7', text: 'again' },
        { verb: 'delete', version: '6' },
      ],
      ['again'],
    ],
  ];
  for (const [sentence, happened, texts] of rows) {
    test(sentence, async () => assert.deepEqual(await textsAfter(...happened), texts));
  }

  test('is as somebody would have written it', async () => {
    const more = {
      generation: 3,
      selfLink: '/x',
      managedFields: [{}],
      labels: { a: 'b' },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', c: 'd' },
      finalizers: ['myorg.dev/cleanup', 'example.com/mine'],
      ownerReferences: [{ uid: 'gone' }],
    };
    const { objects } = await lastObjects(streamOf([eventOf({ verb: 'add', more }, 1)]));
    const metadata = { name: 'hello', namespace: 'shop', labels: { a: 'b' }, annotations: { c: 'd' } };
    assert.deepEqual(objects, [
      {
        apiVersion: 'myorg.dev/v1',
        kind: 'Message',
        spec: { text: 'hi' },
        metadata: { ...metadata, finalizers: ['example.com/mine'] },
      },
    ]);
  });

  test('is left out where the log does not keep all of it, and of other events there is none', async () => {
    const other = { ...eventOf({ verb: 'add', name: 'other' }, 3), type: 'dev.knudge.resync.requested' };
    const empty = { ...eventOf({ verb: 'add', name: 'empty' }, 4), data: 'text' };
    const hidden = eventOf({ verb: 'add', text: 'Bearer [not kept]' }, 1);
    const shown = eventOf({ verb: 'add', name: 'bye', text: 'b' }, 2);
    const { objects, incomplete } = await lastObjects(streamOf([hidden, shown, other, empty]));
    assert.deepEqual(
      objects.map(({ metadata }) => metadata.name),
      ['bye'],
    );
    assert.deepEqual(
      incomplete.map(({ name }) => name),
      ['hello'],
    );
  });
});
