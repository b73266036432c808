import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { EventLog } from '../../packages/controller/domain/event-log.ts';
import { received } from '../../packages/event-log/test/store/event.ts';
import { follow } from '../events/follow.ts';
import { eventsCommand } from '../events.ts';
import { folderWith, serveFolder } from './log-folder.ts';
import { runCommand } from './run-command.ts';

const object = (text: string) => ({ kind: 'Message', metadata: { name: 'hello' }, spec: { text } });

async function fill(log: EventLog): Promise<void> {
  const extensions = { kind: 'Message', name: 'hello' };
  for (const [id, text] of [
    ['a', '1'],
    ['b', '1'],
    ['c', '2'],
  ] as const)
    await log.append(received({ id, extensions, data: object(text) }));
  await log.append(received({ id: 'other' }));
}

suite('knudge events list', () => {
  for (const [args, wanted] of [
    [
      ['--text', 'HELLO'],
      ['c', 'b', 'a'],
    ],
    [
      ['--changed', 'spec'],
      ['c', 'a'],
    ],
    [['--changed', 'status'], []],
  ] as const)
    test(`${args.join(' ')} finds what it says`, async (context) => {
      const dir = await folderWith(context, fill);
      const { out } = await runCommand(context, eventsCommand(), ['list', '--dir', dir, '--json', ...args]);
      const { events, total } = JSON.parse(out) as { events: { id: string }[]; total: number };
      assert.deepEqual([events.map(({ id }) => id), total], [wanted, wanted.length]);
    });
  test('--changed name is a wrong command line, and so is --follow with --before', async (context) => {
    for (const args of [
      ['--changed', 'name'],
      ['--follow', '--before', '3'],
    ])
      assert.equal((await runCommand(context, eventsCommand(), ['list', ...args])).code, 2);
  });
  test('--follow shows the last, then each as it comes, oldest first', async (context) => {
    const dir = await folderWith(context, fill);
    const log = await serveFolder(context, dir, async () => undefined);
    const lines: string[] = [];
    const printed = context.mock.method(console, 'log', (line: string) => void lines.push(line));
    const stop = new AbortController();
    const following = follow(log, { q: 'e' }, { limit: 2, signal: stop.signal, json: true });
    await wait(100);
    await log.append(received({ id: 'new' }));
    while (lines.length < 3) await wait(20);
    stop.abort();
    await following;
    printed.mock.restore();
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { id: string }).id),
      ['c', 'other', 'new'],
    );
  });
});
