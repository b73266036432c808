import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parseYaml } from '../../packages/controller/cluster/yaml.ts';
import type { EventLog } from '../../packages/controller/domain/event-log.ts';
import { received } from '../../packages/event-log/test/store/event.ts';
import { showProgress } from '../events/progress.ts';
import { eventsCommand } from '../events.ts';
import { runIn } from './knudge.ts';
import { folderWith, recordedAt } from './log-folder.ts';
import { runCommand } from './run-command.ts';

const gap = { from: '2026-03-01T11:00:00.000Z', to: '2026-03-01T11:01:00.000Z', events: 7, reason: 'full\n\u001b[2J' };

async function fill(log: EventLog): Promise<void> {
  for (const n of [1, 2, 3])
    await log.append(received({ id: `e-${n}`, type: 'dev.knative.apiserver.ref.add', data: { n } }));
  await log.append({ id: '\u001b[31mred', source: '/s', type: 't', extensions: new Map(), data: 'yes' });
  await log.append(received({ id: '2' }));
  await log.noteGap(gap);
}

suite('knudge events list', () => {
  test('is a table, newest first, that moves no cursor, with the gaps at its end', async (context) => {
    const dir = await folderWith(context, fill);
    const { out, code } = await runCommand(context, eventsCommand(), ['list', '--dir', dir]);
    assert.equal(code, 0);
    assert.deepEqual(out.split('\n'), [
      'NUMBER  TIME            TYPE        OBJECT                   CHANGED  BY  OUTCOME  WRITES',
      '5       03-01 12:00:00  a.b.update  ConfigMap shop/settings  -        -   -        -',
      '4       03-01 12:00:00  t           -                        -        -   -        -',
      '3       03-01 12:00:00  ref.add     ConfigMap shop/settings  -        -   -        -',
      '2       03-01 12:00:00  ref.add     ConfigMap shop/settings  -        -   -        -',
      '1       03-01 12:00:00  ref.add     ConfigMap shop/settings  -        -   -        -',
      '',
      `5 events in ${dir}/events.db`,
      `gap: 7 events from ${gap.from} to ${gap.to} could not be recorded (full ?[2J)`,
      '',
    ]);
  });

  test('tells how to go on, until there is no more', async (context) => {
    const dir = await folderWith(context, fill);
    const args = ['list', '--dir', dir, '--type', 'ref.add', '--limit', '2'];
    const first = await runCommand(context, eventsCommand(), args);
    assert.match(first.out, /^3 .*\n2 .*\n\n2 of 3 events in .*; older ones: the same with --before 2\ngap: /m);
    const last = await runCommand(context, eventsCommand(), [...args, '--before', '2']);
    assert.match(last.out, /^NUMBER .*\n1 .*\n\n1 event in [^;]*\n$/);
    const exact = await runCommand(context, eventsCommand(), ['list', '--dir', dir, '--before', '3', '--limit', '2']);
    assert.match(exact.out, /\n2 events in [^;]*\n$/);
  });

  test('says of a gap without a number that nobody knows it', async (context) => {
    const { events: _, ...unknown } = gap;
    const dir = await folderWith(context, (log) => log.noteGap(unknown));
    const { out } = await runCommand(context, eventsCommand(), ['list', '--dir', dir]);
    assert.ok(
      out.includes(`gap: from ${gap.from} to ${gap.to} an unknown number of events may be missing (full ?[2J)`),
      out,
    );
    const { said } = await runCommand(context, eventsCommand(), ['export', '--dir', dir, '--output', join(dir, 'all')]);
    assert.equal(
      said,
      'for some of that time the number of missing events is unknown: npx knudge events list shows the gaps\n',
    );
  });

  test('is one object for programs', async (context) => {
    const dir = await folderWith(context, fill);
    const { out } = await runCommand(context, eventsCommand(), ['list', '--dir', dir, '--limit', '1', '--json']);
    const { events, ...rest } = JSON.parse(out) as { events: { id: string }[] };
    assert.deepEqual(
      events.map(({ id }) => id),
      ['2'],
    );
    assert.deepEqual(rest, { total: 5, next: { before: 5 }, gaps: [gap] });
  });

  test('says that there is none, and leaves out gaps of another time', async (context) => {
    const dir = await folderWith(context, fill);
    const { out, code } = await runCommand(context, eventsCommand(), [
      'list',
      '--dir',
      dir,
      '--since',
      '2026-03-02T00:00:00Z',
    ]);
    assert.deepEqual([out, code], [`0 events in ${dir}/events.db\n`, 0]);
    const before = await runCommand(context, eventsCommand(), [
      'list',
      '--dir',
      dir,
      '--until',
      '2026-02-01T00:00:00Z',
    ]);
    assert.doesNotMatch(before.out, /gap/);
  });

  for (const [args, code, says] of [
    [['list', '--since', 'noon'], 2, /Give a time such as/],
    [['list', '--limit', '0'], 2, /Give a whole number from 1 to 1000/],
    [['list', '--dir', 'nowhere'], 3, /^There is no event log in .*nowhere/],
    [['show', '99'], 1, /^There is no event 99 in .*, or no longer/],
    [[], 2, /^$/],
  ] as const) {
    test(`${args.join(' ')} ends with ${code}`, async (context) => {
      const dir = await folderWith(context, fill);
      const isThere = args.length > 0 && !args.some((one) => one === '--dir');
      const ran = await runCommand(context, eventsCommand(), [...args, ...(isThere ? ['--dir', dir] : [])]);
      assert.equal(ran.code, code);
      assert.match(ran.said, says);
    });
  }
});

test('knudge events show gives one whole, by its number, else by its id', async (context) => {
  const dir = await folderWith(context, fill);
  const idOf = async (key: string) => {
    const { out } = await runCommand(context, eventsCommand(), ['show', key, '--dir', dir, '--json']);
    return (JSON.parse(out) as { id: string }).id;
  };
  assert.deepEqual([await idOf('2'), await idOf('e-3')], ['e-2', 'e-3']);
  const { out } = await runCommand(context, eventsCommand(), ['show', '4', '--dir', dir]);
  const [document] = parseYaml(out).documents;
  const wanted = { seq: 4, recorded: recordedAt, id: '\u001b[31mred', source: '/s', type: 't', time: recordedAt };
  assert.deepEqual(document?.value, { ...wanted, extensions: {}, data: 'yes' });
  assert.equal(out.includes('\u001b'), false);
});

suite('knudge events export', () => {
  test('writes a line for each, oldest first, over the ends of pages, and says what is missing', async (context) => {
    const ids = Array.from({ length: 130 }, (_, n) => `e-${n}`);
    const dir = await folderWith(context, async (log) => {
      for (const id of ids) await log.append(received({ id, data: 'x'.repeat(30_000) }));
      await log.noteGap(gap);
    });
    const file = join(dir, 'out.ndjson');
    const ran = await runCommand(context, eventsCommand(), ['export', '--dir', dir, '--output', file]);
    assert.deepEqual(ran, {
      code: 0,
      out: `${file} has 130 events\n`,
      said: '7 events of that time could not be recorded: npx knudge events list shows the gaps\n',
    });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { id: string }).id),
      ids,
    );
  });

  test('leaves nothing half-done, and says why', async (context) => {
    const dir = await folderWith(context, fill);
    mkdirSync(join(dir, 'out'));
    for (const output of ['out', 'none/out']) {
      const ran = await runCommand(context, eventsCommand(), ['export', '--dir', dir, '--output', join(dir, output)]);
      assert.equal(ran.code, 1);
      assert.match(ran.said, /out cannot be written: E/);
    }
    assert.deepEqual(
      readdirSync(dir).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  test('prints to whoever reads, and ends quietly when nobody does any more', async (context) => {
    const dir = await folderWith(context, async (log) => {
      const data = 'x'.repeat(10_000);
      await Promise.all(Array.from({ length: 300 }, (_, n) => log.append(received({ id: `e-${n}`, data }))));
    });
    const whole = await runIn(dir, ['events', 'export', '--dir', dir]).ended;
    assert.deepEqual([whole.code, whole.said, whole.out.split('\n').length], [0, '', 301]);
    const { child, ended: read } = runIn(dir, ['events', 'export', '--dir', dir]);
    // It reads to the end, which does not come.
    read.catch(() => undefined);
    const [said, ended] = [[] as string[], once(child, 'exit')];
    child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    child.stdout?.once('data', () => child.stdout?.destroy());
    assert.deepEqual([await ended, said], [[0, null], []]);
  });

  test('shows on a terminal how far it is, now and then', () => {
    const [texts, clock] = [[] as string[], { now: 0 }];
    const screen = (isTTY: boolean) => ({ isTTY, write: (text: string) => texts.push(text) });
    const pipe = showProgress(screen(false), 3, () => clock.now);
    pipe.step();
    pipe.end();
    assert.deepEqual([texts, pipe.done()], [[], 1]);
    const progress = showProgress(screen(true), 3000, () => clock.now);
    for (let n = 0; n < 1500; n += 1) {
      clock.now = n === 1499 ? 100 : 0;
      progress.step();
    }
    progress.end();
    assert.deepEqual(texts, ['\r1 of 3,000 events, 0 %', '\r1,500 of 3,000 events, 50 %', '\r\u001b[K']);
  });
});
