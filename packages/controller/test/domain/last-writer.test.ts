import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWriter } from '../../domain/last-writer.ts';
import type { Writing } from '../../domain/last-written.ts';

const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
const made = (time: string) => ({ manager: 'kubectl', time });
const status = (time: string) => ({ manager: 'knudge', subresource: 'status', time });
const kubectl = { manager: 'kubectl', operation: 'Update', time: late, fieldsV1: { 'f:spec': { 'f:text': {} } } };
const knudge = {
  manager: 'knudge',
  operation: 'Apply',
  subresource: 'status',
  time: late,
  fieldsV1: { 'f:status': {} },
};
const argocd = { ...kubectl, manager: 'argocd' };
const other = { ...argocd, fieldsV1: { 'f:spec': { 'f:other': {} } } };
/** Whose fields another manager has taken, one by one. */
const emptied = { ...argocd, fieldsV1: { 'f:spec': {} } };
const two = { 'f:spec': { 'f:text': {}, 'f:other': {} } };

const next: readonly (readonly [string, readonly Writing[], readonly Writing[], string | undefined])[] = [
  ['the one that has come', [argocd, kubectl], [argocd], 'kubectl'],
  ['the one that has a later time', [argocd, kubectl], [argocd, { ...kubectl, time: early }], 'kubectl'],
  ['the one that names more fields', [argocd, { ...kubectl, fieldsV1: two }], [argocd, kubectl], 'kubectl'],
  [
    'the one that has come, while it took a field of another',
    [kubectl, argocd],
    [{ ...kubectl, fieldsV1: two }],
    'argocd',
  ],
  ['by what differs where all are as before', [knudge, kubectl], [knudge, kubectl], 'kubectl'],
  [
    'the owner of what differs where several have written in that second',
    [other, emptied, kubectl],
    [other, emptied, kubectl],
    'kubectl',
  ],
  ['not known where an entry has gone', [knudge], [knudge, kubectl], undefined],
  ['not known where a field has gone', [knudge, kubectl], [knudge, { ...kubectl, fieldsV1: two }], undefined],
  ['not known of two in a second who both write what differs', [argocd, kubectl], [argocd, kubectl], undefined],
];

for (const [what, entries, before, manager] of next) {
  test(`who wrote a version after another is ${what}`, () =>
    assert.equal(lastWriter(entries, { before, changed: ['/spec/text'] })?.manager, manager));
}

test('who wrote last in a second is who writes what differs', () => {
  const both = [status(late), made(late)];
  const by = (...changed: readonly string[]) => lastWriter(both, { changed })?.manager;
  assert.deepEqual([by('/status/phase'), by('/status')], ['knudge', 'knudge']);
  assert.deepEqual(
    [by('/spec/text'), by('/status', '/metadata/labels/a'), by('/statuses')],
    ['kubectl', 'kubectl', 'kubectl'],
  );
  assert.equal(
    lastWriter([status(early), made(late)], { changed: ['/status/phase'] })?.manager,
    'kubectl',
    'a later second',
  );
});
