import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseYaml } from '../../packages/controller/cluster/yaml.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { EventLog } from '../../packages/controller/domain/event-log.ts';
import { received } from '../../packages/event-log/test/store/event.ts';
import { deadLettersCommand } from '../dead-letters.ts';
import { folderWith, recordedAt, serveFolder } from './log-folder.ts';
import { runCommand } from './run-command.ts';

const failed = (id: string, kind = 'ConfigMap') =>
  received({
    id,
    extensions: {
      kind,
      knativeerrordest: 'http://pod-changed.knudge.svc.cluster.local/',
      knativeerrorcode: '500',
      knativeerrordata: Buffer.from('no\nway').toString('base64'),
    },
  });

async function fill(log: EventLog): Promise<void> {
  for (const id of ['e-1', 'e-2']) await log.appendDeadLetter(failed(id));
  await log.appendDeadLetter(failed('e-3', 'Pod'));
  await log.appendDeadLetter(received({ id: 'e-4' }));
  await log.appendDeadLetter(failed('e-1'));
  await log.mark({ seq: 4, times: 1 }, 'discarded', 'known');
}

suite('knudge dead-letters list', () => {
  const row = (seq: number, times: number, object: string) =>
    `${seq}       open   ${times}      ${recordedAt}  ${recordedAt}  a.b.update  ${object}  http://pod-changed.knudge.svc.cluster.local/ answered 500: no way`;

  test('is a table of what is open, with the reasons', async (context) => {
    const dir = await folderWith(context, fill);
    const { out, code } = await runCommand(context, deadLettersCommand(), ['list', '--dir', dir]);
    assert.equal(code, 0);
    assert.deepEqual(out.split('\n').slice(1), [
      row(3, 1, 'Pod shop/settings      '),
      row(2, 1, 'ConfigMap shop/settings'),
      row(1, 2, 'ConfigMap shop/settings'),
      '',
      `3 open dead letters in ${dir}/events.db`,
      '',
    ]);
  });

  test('has other states, filters and pages', async (context) => {
    const dir = await folderWith(context, fill);
    const list = (...args: readonly string[]) =>
      runCommand(context, deadLettersCommand(), ['list', '--dir', dir, ...args]);
    assert.match(
      (await list('--state', 'all')).out,
      / {2}an unknown subscriber \(note: known\)\n(.*\n)*4 dead letters in /,
    );
    assert.match((await list('--state', 'sent-again')).out, /^0 sent-again dead letters in /);
    assert.match((await list('--kind', 'po', '--limit', '1')).out, /1 open dead letter in [^;]*\n$/);
    assert.match(
      (await list('--limit', '1')).out,
      /\n1 of 3 open dead letters in .*; older ones: the same with --before 3\n$/,
    );
    const { deadLetters, total, next } = JSON.parse((await list('--json', '--limit', '1', '--before', '3')).out);
    assert.deepEqual([deadLetters[0].seq, total, next], [2, 2, { before: 2 }]);
  });
});

test('knudge dead-letters show gives one whole', async (context) => {
  const dir = await folderWith(context, fill);
  const { out } = await runCommand(context, deadLettersCommand(), ['show', '4', '--dir', dir]);
  const [document] = parseYaml(out).documents;
  const { note, state } = document?.value === undefined ? {} : (document.value as { note?: string; state?: string });
  assert.deepEqual([note, state], ['known', 'discarded']);
  const none = await runCommand(context, deadLettersCommand(), ['show', '9', '--dir', dir]);
  assert.deepEqual([none.code, /^There is no dead letter 9 in /.test(none.said)], [1, true]);
});

suite('knudge dead-letters retry and discard', () => {
  async function scene(context: Parameters<typeof folderWith>[0]) {
    const dir = await folderWith(context, fill);
    const sent: string[] = [];
    const log: EventLog = await serveFolder(context, dir, async ({ id }) => {
      sent.push(id);
      if (id === 'e-2') await log.appendDeadLetter(failed('e-2'));
      if (id === 'e-3') throw new KnudgeError('unavailable', 'the Broker cannot be reached');
    });
    const run = (...args: readonly string[]) => runCommand(context, deadLettersCommand(), [...args, '--dir', dir]);
    return { run, sent, log };
  }

  test('sends those that are named, and tells what became of each', async (context) => {
    const { run, sent } = await scene(context);
    const { out, code } = await run('retry', '1', '2', '3', '1');
    assert.equal(code, 1);
    assert.deepEqual(out.split('\n'), [
      '1 is sent again',
      '2 failed again and is open: 2 times now',
      '3: the event log answers 503: the Broker cannot be reached',
      '1 dead letter sent again, 2 not',
      '',
    ]);
    assert.deepEqual(sent, ['e-1', 'e-2', 'e-3']);
  });

  test('sends every open dead letter that the filters select', async (context) => {
    const { run, sent } = await scene(context);
    const { out, code } = await run('retry', '--all', '--id', 'e-1', '--json');
    assert.deepEqual([JSON.parse(out), code], [{ number: 1, state: 'sent-again', times: 2 }, 0]);
    assert.deepEqual(sent, ['e-1']);
    const none = await run('retry', '--all', '--id', 'e-1');
    assert.deepEqual([none.out, none.code], ['0 dead letters sent again\n', 0]);
  });

  test('discards with a note', async (context) => {
    const { run, sent, log } = await scene(context);
    const { out, code } = await run('discard', '1', '9', '--note', 'not needed');
    assert.deepEqual([out.split('\n')[0], code, sent], ['1 is discarded', 1, []]);
    assert.match(out, /^9: the event log answers 404: there is no such dead letter, or no longer$/m);
    const [letter] = await log.deadLetters({ id: 'e-1' }, { order: 'newest-first', limit: 1 });
    assert.deepEqual([letter?.state, letter?.note], ['discarded', 'not needed']);
  });

  test('does nothing where nobody answers', async (context) => {
    const { run } = await scene(context);
    const away = await run('retry', '3', '1');
    assert.deepEqual([away.code, away.out], [3, '']);
    assert.match(away.said, /the Broker cannot be reached/);
    const dir = await folderWith(context, fill);
    const down = await runCommand(context, deadLettersCommand(), ['discard', '1', '--dir', dir]);
    assert.deepEqual([down.code, /^No mesh runs in /.test(down.said)], [3, true]);
  });

  for (const [args, says] of [
    [['retry'], /name dead letters by their numbers in npx knudge dead-letters list, or say --all/],
    [['retry', '1', '--all'], /not both/],
    [['discard', '1', '--kind', 'Pod'], /filters are for --all/],
    [['discard', 'e-1'], /Give a whole number from 1/],
    [['discard', '1', '--note', 'x'.repeat(1001)], /the note has 1001 characters, and the log takes 1000/],
    [['list', '--state', 'shut'], /Allowed choices are open, sent-again, discarded, all/],
  ] as const) {
    test(`${args.join(' ').slice(0, 30)} is wrong usage`, async (context) => {
      const { code, said } = await runCommand(context, deadLettersCommand(), [...args]);
      assert.equal(code, 2);
      assert.match(said, says);
    });
  }
});
