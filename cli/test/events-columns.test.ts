import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EventLog, RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import type { Summary } from '../../packages/event-log/api/summaries.ts';
import { delivered } from '../../packages/event-log/test/store/delivery-cases.ts';
import { received } from '../../packages/event-log/test/store/event.ts';
import { eventsTable } from '../events/rows.ts';
import { eventsCommand } from '../events.ts';
import { tableOf } from '../table.ts';
import { folderWith, recordedAt } from './log-folder.ts';
import { runCommand } from './run-command.ts';

const prefix = 'dev.knative.apiserver.resource.';

interface Shown {
  readonly verb?: string;
  readonly uid?: string;
  readonly by?: string;
  readonly parts?: object;
}

function message(id: string, { verb = 'update', uid = 'u-m', by = 'kubectl-patch', parts = {} }: Shown) {
  const metadata = { name: 'hello', namespace: 'shop', uid, managedFields: [{ manager: by, time: recordedAt }] };
  const extensions = { kind: 'Message', namespace: 'shop', name: 'hello' };
  return received({ id, type: `${prefix}${verb}`, extensions, data: { kind: 'Message', metadata, ...parts } });
}

async function fill(log: EventLog): Promise<void> {
  const status = { phase: 'Processed', conditions: [{ status: 'True' }] };
  await log.append(message('e-1', { verb: 'add', by: 'kubectl-create', parts: { spec: { text: 'a' } } }));
  await log.append(message('e-2', { parts: { spec: { text: 'b' } } }));
  await log.append(received({ id: 'asked', extensions: { kind: 'Message', namespace: 'shop', name: 'hello' } }));
  await log.append(message('e-3', { by: 'knudge', parts: { spec: { text: 'b' }, status } }));
  await log.append(message('e-4', { verb: 'delete', by: 'knudge', parts: { spec: { text: 'b' }, status } }));
  await log.append(message('e-5', { uid: 'u-other', parts: { spec: { text: 'c' } } }));
  const of = (id: string) => ({ event: { id, source: '/s' } });
  await log.appendDeliveries([
    delivered({ ...of('e-2'), attempt: 1, status: 503, outcome: 'conflict', writes: 1 }),
    delivered({ ...of('e-2'), attempt: 2, at: '2026-03-01T12:00:01.000Z', writes: 2 }),
    delivered({ ...of('e-2'), function: 'other', outcome: 'ignored', writes: 0 }),
  ]);
}

suite('a line of knudge events list', () => {
  test('says what changed, by whom, and what became of it', async (context) => {
    const dir = await folderWith(context, fill);
    const { out } = await runCommand(context, eventsCommand(), ['list', '--dir', dir, '--kind', 'msg']);
    const cells = out.split('\n').map((line) => line.split(/ {2,}/).filter((cell) => cell !== ''));
    assert.deepEqual(cells.slice(0, 7), [
      ['NUMBER', 'TIME', 'TYPE', 'OBJECT', 'CHANGED', 'BY', 'OUTCOME', 'WRITES'],
      ['6', '03-01 12:00:00', 'update', 'Message shop/hello', '-', 'kubectl-patch', '-', '-'],
      ['5', '03-01 12:00:00', 'delete', 'Message shop/hello', '-', '-', '-', '-'],
      ['4', '03-01 12:00:00', 'update', 'Message shop/hello', 'status', 'knudge', '-', '-'],
      ['3', '03-01 12:00:00', 'a.b.update', 'Message shop/hello', '-', '-', '-', '-'],
      ['2', '03-01 12:00:00', 'update', 'Message shop/hello', 'spec.text', 'kubectl-patch', 'done, ignored', '2'],
      ['1', '03-01 12:00:00', 'add', 'Message shop/hello', '-', 'kubectl-create', '-', '-'],
    ]);
  });

  test('knows the version before it from the log where the page ends', async (context) => {
    const dir = await folderWith(context, fill);
    const args = ['list', '--dir', dir, '--json', '--limit', '1', '--before', '5'];
    const { out } = await runCommand(context, eventsCommand(), args);
    const { events } = JSON.parse(out) as { events: readonly Summary[] };
    assert.deepEqual(
      events.map(({ changed, by, outcomes }) => ({ changed, by, outcomes })),
      [{ changed: ['status'], by: 'knudge', outcomes: [] }],
    );
  });

  test('fits a screen of 80 columns, and shows the time of day alone for events of today', () => {
    const event: RecordedEvent & Summary = {
      seq: 123_456,
      recorded: recordedAt,
      id: 'x',
      source: '/s',
      time: recordedAt,
      extensions: {},
      type: `${prefix}update`,
      kind: 'Pod',
      namespace: 'default',
      name: 'backend-pd9pjk8blk-qwjw4',
      changed: ['status.phase', 'status.conditions'],
      by: 'kubectl-client-side-apply',
      outcomes: [{ function: 'pod-changed', outcome: 'not-permitted', writes: 0 }],
    };
    const text = eventsTable([event], { now: Date.parse(recordedAt), width: 80 });
    assert.deepEqual(
      text.split('\n').map((line) => line.length <= 80),
      [true, true],
      text,
    );
    assert.match(text, /^123456 {2}12:00:00 {2}update {2}Pod \S+…\S+ {2}/m);
    const later = eventsTable([event], { now: Date.parse('2026-03-02T00:00:00Z'), width: 80 });
    assert.ok(
      later.split('\n').every((line) => line.length <= 80),
      later,
    );
  });
});

test('a table that cannot get as narrow as the screen is as narrow as it may be', () => {
  const rows = [['aaaaaaaa', 'bbbbbbbb']];
  assert.equal(tableOf(['A', 'B'], rows, { width: 5, least: { A: 4 } }), 'A     B\naa…a  bbbbbbbb');
});
