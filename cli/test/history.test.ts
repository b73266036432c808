import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EventLog } from '../../packages/controller/domain/event-log.ts';
import { delivered } from '../../packages/event-log/test/store/delivery-cases.ts';
import { received } from '../../packages/event-log/test/store/event.ts';
import { plain } from '../../packages/mesh/screen.ts';
import { eventsCommand } from '../events.ts';
import { happenedIn } from '../history/events.ts';
import { historyText } from '../history/text.ts';
import { historyCommand } from '../history.ts';
import { folderWith, recordedAt } from './log-folder.ts';
import { runCommand } from './run-command.ts';

const type = 'dev.knative.apiserver.resource.update';

async function fill(log: EventLog): Promise<void> {
  const message = (resourceVersion: string, manager: string, rest: object) => {
    const managedFields = [{ manager, time: recordedAt }];
    const metadata = { name: 'hello', namespace: 'shop', uid: 'u-m', resourceVersion, managedFields };
    const extensions = { kind: 'Message', namespace: 'shop', name: 'hello' };
    return received({ id: `e-${resourceVersion}`, type, extensions, data: { kind: 'Message', metadata, ...rest } });
  };
  await log.append(message('1', 'kubectl', { spec: { text: 'a\u001b[2J' } }));
  await log.append(message('2', 'knudge', { spec: { text: 'b' }, status: { phase: 'Pending' } }));
  const status = { do: 'status', kind: 'Message', namespace: 'shop', name: 'hello', uid: 'u-m', resourceVersion: '2' };
  await log.appendDeliveries(
    [delivered({ written: [status], coldMs: 240, inVain: 1, attempt: 2 })].map((one) => ({
      ...one,
      event: { id: 'e-1', source: '/s' },
    })),
  );
}

suite('knudge history', () => {
  test('shows each version with who, why, what changed and what Knudge did, newest first', async (context) => {
    const dir = await folderWith(context, fill);
    const { out, code } = await runCommand(context, historyCommand(), ['msg', 'shop/hello', '--dir', dir]);
    assert.equal(code, 0);
    assert.deepEqual(out.split('\n'), [
      `event 2 ${recordedAt} resource.update, version 2`,
      `  by knudge at ${recordedAt}`,
      '  because of event 1 Message shop/hello (message-changed: status)',
      '  - /spec/text: "a\\u001b[2J"',
      '  + /spec/text: "b"',
      '  + /status: {"phase":"Pending"}',
      '',
      `event 1 ${recordedAt} resource.update, version 1`,
      `  by kubectl at ${recordedAt}`,
      '  + /spec: {"text":"a\\u001b[2J"}',
      '  + /metadata: {}',
      '  message-changed: done, 1 write, 4.5 ms',
      '',
      `2 events about Message shop/hello in ${dir}/events.db`,
      'Without Kubernetes Events: no cluster answers.',
      '',
    ]);
  });
  test('is one object for programs, and says how to go on', async (context) => {
    const dir = await folderWith(context, fill);
    const args = ['Message', 'shop/hello', '--dir', dir, '--limit', '1', '--json'];
    const { out } = await runCommand(context, historyCommand(), args);
    const { versions, next } = JSON.parse(out) as { versions: unknown[]; next: object };
    assert.deepEqual([versions.length, next], [1, { before: 2 }]);
  });
  for (const args of [
    ['Nothing', 'shop/hello'],
    ['Message', 'hello'],
  ])
    test(`${args.join(' ')} is a wrong command line`, async (context) => {
      assert.equal((await runCommand(context, historyCommand(), args)).code, 2);
    });
  test('puts the Kubernetes Events of the object into the same line of time', () => {
    const about = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'x' },
      involvedObject: { kind: 'Message', name },
    });
    const object = { kind: 'Message', namespace: 'shop', name: 'hello' };
    const all = [
      { ...about('hello'), reason: 'Processed', message: 'ok', type: 'Normal', eventTime: '2026-03-01T12:00:09.000Z' },
      { ...about('hello'), reason: 'Failed', message: 'no', type: 'Warning', lastTimestamp: '2026-03-01T12:00:19Z' },
      { ...about('other'), reason: 'Processed', message: 'ok', type: 'Normal' },
    ];
    const happened = happenedIn(all, object);
    assert.deepEqual(
      happened.map(({ reason }) => reason),
      ['Failed', 'Processed'],
    );
    const text = historyText({ object, versions: [] }, { happened, title: 'x', style: plain });
    assert.match(text, /^2026-03-01T12:00:19\.000Z Kubernetes Event Failed: no\n\n.*Processed: ok\n\n0 events about/);
  });
});

test('knudge events show prints the chain up and down', async (context) => {
  const dir = await folderWith(context, fill);
  const ofFirst = await runCommand(context, eventsCommand(), ['show', '1', '--dir', dir]);
  assert.ok(
    ofFirst.out.endsWith(
      [
        '# What it came of:',
        '#   from outside, or no function has reported it',
        '# What became of it:',
        '#   message-changed: done, 204, 2 reads, 1 write (1 more in vain), 4.5 ms, cold 240 ms, try 2',
        '#     status Message shop/hello',
        '#       2 Message shop/hello resource.update',
        '',
      ].join('\n'),
    ),
    ofFirst.out,
  );
  const ofSecond = await runCommand(context, eventsCommand(), ['show', '2', '--dir', dir]);
  assert.match(
    ofSecond.out,
    /of:\n# {3}1 Message shop\/hello resource\.update → message-changed: status Message shop\/hello\n/,
  );
});
