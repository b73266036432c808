import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { event } from '../../../../test/build/event.ts';
import { testTracer } from '../../../../test/build/tracer.ts';
import { deliveryHeader } from '../../domain/delivery.ts';
import { errorCodes } from '../../domain/errors.ts';
import { allowed, meta } from '../wire/hostile-parts.ts';
import { atEndFailed, startObserved } from './observed.ts';
import { post } from './start.ts';

const known = { ...allowed, uid: 'u-1', resourceVersion: '42' };

/** Each is no reason to refuse an event, because nothing is decided by it. */
const rows: readonly (readonly [name: string, metadata: Readonly<Record<string, unknown>>])[] = [
  ['managedFields that are null', { managedFields: null }],
  ['managedFields that are an object', { managedFields: {} }],
  ['managedFields that are a text', { managedFields: 'knudge' }],
  ['managedFields that are a number', { managedFields: 1 }],
  ['an entry of managedFields that is null', { managedFields: [null] }],
  ['an entry of managedFields that is a text', { managedFields: ['knudge'] }],
  ['an entry whose manager is an object', { managedFields: [{ manager: {}, time: '2026-01-01T00:00:00Z' }] }],
  ['an entry whose time is null', { managedFields: [{ manager: 'knudge', time: null }] }],
  ['entries of which one is a list', { managedFields: [{ manager: 'knudge', time: '2026' }, []] }],
  ['a uid that is null', { uid: null }],
  ['a version that is null', { resourceVersion: null }],
  ['a time of deletion that is null', { deletionTimestamp: null }],
  ['labels and annotations that are null', { labels: null, annotations: null }],
  ['owners that are null', { ownerReferences: null }],
  ['finalizers that are a number', { finalizers: 7 }],
  ['a generation and a time of creation of other types', { generation: 'two', creationTimestamp: {} }],
];

suite('an event with hostile metadata is handled, traced and reported', () => {
  for (const [name, metadata] of rows) {
    test(name, async () => {
      const { app, ended, lines } = startObserved();
      const answer = await post(app, meta({ ...known, ...metadata }));
      assert.deepEqual([answer.status, await ended(1)], [204, 1]);
      assert.ok(answer.headers[deliveryHeader]);
      assert.deepEqual(
        lines.map(({ msg }) => msg),
        ['event handled'],
      );
    });
  }
  test('whatever is in it', async () => {
    const { app, ended, lines } = startObserved();
    const field = fc.constantFrom(
      ...['uid', 'resourceVersion', 'managedFields', 'ownerReferences', 'labels', 'annotations', 'finalizers'],
      ...['generation', 'creationTimestamp', 'deletionTimestamp', 'constructor', 'toString', 'selfLink'],
    );
    const entry = fc.dictionary(fc.constantFrom('manager', 'time', 'operation'), fc.jsonValue({ maxDepth: 1 }));
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.array(entry, { maxLength: 3 }));
    let events = 0;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, value, { maxKeys: 4 }), async (metadata) => {
        const { status } = await post(app, meta({ ...known, ...metadata }));
        assert.ok(status === 204 || status === errorCodes['invalid-event'].status, String(status));
        events += 1;
        assert.equal(await ended(events), events);
      }),
      { numRuns: 150 },
    );
    assert.deepEqual(
      lines.filter(({ msg }) => msg === atEndFailed),
      [],
    );
  });
});

test('what fails at the end of an answer is logged once, and the next event is answered', async () => {
  const traces = {
    begin: () => ({
      ...testTracer().begin(),
      answered: (answer: object) => ({
        ...answer,
        sent: () => {
          throw new Error('no room');
        },
      }),
    }),
  };
  const { app, lines } = startObserved({ traces: traces as never });
  for (const logged of [1, 2]) {
    assert.equal((await post(app, event())).status, 204);
    const failures = lines.filter(({ msg }) => msg === atEndFailed);
    assert.equal(failures.length, logged);
  }
});
