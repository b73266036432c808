import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { event } from '../../../../test/build/event.ts';
import { testTracer } from '../../../../test/build/tracer.ts';
import type { Tracer } from '../../domain/spans.ts';
import { traced } from './traced.ts';

suite('an event is linked with the write that it comes of', () => {
  const write = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), isSampled: true };
  const version = { uid: 'u-1', resourceVersion: '42' };
  const about = (type: string, managedFields: readonly object[]) =>
    event({
      attributes: { type: `dev.knative.apiserver.resource.${type}` },
      data: {
        apiVersion: 'myorg.dev/v1',
        kind: 'Message',
        metadata: { namespace: 'shop', name: 'hello', ...version, managedFields },
      },
    });
  const linksOf = async (type: string, resourceVersion: string, managedFields: readonly object[] = []) => {
    const prepare = (tracer: Tracer): void => tracer.wrote({ uid: 'u-1', resourceVersion }, write);
    const { named } = await traced(about(type, managedFields), { prepare });
    return named('process message-changed').links;
  };
  test('by the version', async () => assert.deepEqual(await linksOf('update', '42'), [write]));
  test('by the uid, of a deletion that made no version', async () =>
    assert.deepEqual(await linksOf('delete', ''), [write]));
  test('and with no other', async () => {
    assert.deepEqual(await linksOf('update', '41'), []);
    assert.deepEqual(await linksOf('update', ''), []);
  });

  const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
  const mark = () => testTracer().tracer.markOf(version);
  const rows: readonly (readonly [what: string, managedFields: readonly object[], isMarked: boolean])[] = [
    [
      'Knudge wrote last',
      [
        { manager: 'kubectl', time: early },
        { manager: 'knudge', time: late },
      ],
      true,
    ],
    [
      'Knudge wrote in the same second',
      [
        { manager: 'kubectl', time: late },
        { manager: 'knudge', time: late },
      ],
      true,
    ],
    [
      'Knudge wrote the status in the same second',
      [
        { manager: 'kubectl', time: late },
        { manager: 'knudge', time: late, subresource: 'status' },
      ],
      true,
    ],
    [
      'somebody else wrote the status in the same second',
      [
        { manager: 'kubelet', time: late, subresource: 'status' },
        { manager: 'knudge', time: late },
      ],
      false,
    ],
    [
      'somebody else wrote last',
      [
        { manager: 'knudge', time: early },
        { manager: 'kubelet', time: late },
      ],
      false,
    ],
    ['nobody says when', [{ manager: 'kubectl' }], false],
  ];
  for (const [what, managedFields, isMarked] of rows) {
    test(`of another process by its mark, where ${what}: ${String(isMarked)}`, async () =>
      assert.deepEqual(await linksOf('update', '41', managedFields), isMarked ? [mark()] : []));
  }
  test('that this process made, and not with its mark besides', async () =>
    assert.deepEqual(await linksOf('update', '42', [{ manager: 'knudge', time: late }]), [write]));
  test('not by a mark, where it was deleted: no field says by whom', async () =>
    assert.deepEqual(await linksOf('delete', '41', [{ manager: 'knudge', time: late }]), []));
});
