import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWriter, lastWritten, type Writing } from '../../domain/last-written.ts';

const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
const made = (time?: string) => ({ manager: 'kubectl', ...(time !== undefined && { time }) });
const status = (time?: string) => ({ manager: 'knudge', subresource: 'status', ...(time !== undefined && { time }) });

const rows = [
  ['nothing', [], []],
  ['the newest', [made(early), status(late)], ['knudge']],
  ['the newest, whatever it wrote', [status(early), made(late)], ['kubectl']],
  ['in the same second the status', [status(late), made(late)], ['knudge']],
  ['all of which nobody knows which was later', [made(late), { manager: 'helm', time: late }], ['kubectl', 'helm']],
  ['what has no time where nothing has one', [made()], ['kubectl']],
  ['what has a time before what has none', [status(), made(early)], ['kubectl']],
] as const;

test('the last of managedFields in a second is who writes what differs', () => {
  const both = [status(late), made(late)];
  const by = (...changed: readonly string[]) => lastWritten(both, { changed }).map(({ manager }) => manager);
  assert.deepEqual([by('/status/phase'), by('/status')], [['knudge'], ['knudge']]);
  assert.deepEqual(
    [by('/spec/text'), by('/status', '/metadata/labels/a'), by('/statuses')],
    [['kubectl'], ['kubectl'], ['kubectl']],
  );
  assert.deepEqual(
    lastWritten([status(early), made(late)], { changed: ['/status/phase'] }),
    [made(late)],
    'a later second wins',
  );
});

for (const [what, entries, managers] of rows) {
  test(`the last of managedFields is ${what}`, () =>
    assert.deepEqual(
      lastWritten(entries).map(({ manager }) => manager),
      managers,
    ));
}

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
