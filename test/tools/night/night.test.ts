import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nightMinutes, nightOf, type Part, partsOf } from '../../../tools/night/parts.ts';
import { reportOf } from '../../../tools/night/report.ts';
import { type Night, runNight } from '../../../tools/night/run-night.ts';
import { testFiles } from '../../../tools/test/suites.ts';
import { root, textOf } from '../../house/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-night-'));
after(() => rmSync(folder, { recursive: true }));

const script = (name: string, code: string, minutes = 1): Part => {
  return { name, what: `it is ${name}`, command: [process.execPath, '-e', code], minutes };
};
const good = script('good', "console.log('counted: 7 plans')");
const bad = script('bad', "console.error('no server'); process.exit(3)");
const slow = script('slow', 'setTimeout(() => {}, 60_000)', 0.01);
const night = (parts: readonly Part[], more: Partial<Night> = {}) => {
  const signal = new AbortController().signal;
  return runNight({ parts, folder, limitMs: 60_000, graceMs: 200, signal, log: () => {}, ...more });
};
const outcomes = async (...args: Parameters<typeof night>) =>
  (await night(...args)).map(({ name, outcome, why = '' }) => [name, outcome, why]);

describe('a night', () => {
  it('goes on after a failure', async () =>
    assert.deepEqual(await outcomes([bad, good]), [
      ['bad', 'failed', 'exit code 3'],
      ['good', 'passed', ''],
    ]));

  it('goes on after a command that there is not', async () => {
    const [[, outcome, why] = [], next] = await outcomes([
      { ...good, name: 'none', command: ['knudge-no-command'] },
      good,
    ]);
    assert.deepEqual([outcome, next], ['failed', ['good', 'passed', '']]);
    assert.match(why ?? '', /ENOENT/);
  });

  it('ends a part whose time is over', async () =>
    assert.deepEqual(await outcomes([slow, good]), [
      ['slow', 'failed', 'ended after 0 minutes'],
      ['good', 'passed', ''],
    ]));

  it('ends what a part has started too, also when neither wants to', async () => {
    const mark = join(folder, 'mark');
    const child = `process.on('SIGTERM', () => {}); setInterval(() => require('fs').writeFileSync(${JSON.stringify(mark)}, ''), 20)`;
    const parent = `process.on('SIGTERM', () => {}); require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}]); setInterval(() => {}, 1000)`;
    const stopped = new AbortController();
    const ended = night([script('stubborn', parent)], { signal: stopped.signal });
    while (!existsSync(mark)) await sleep(20);
    stopped.abort();
    await ended;
    rmSync(mark);
    await sleep(300);
    assert.ok(!existsSync(mark));
  });

  it('ends the part that runs when the time of all is over, and runs no other', async () =>
    assert.deepEqual(await outcomes([{ ...slow, minutes: 1 }, good], { limitMs: 300 }), [
      ['slow', 'failed', 'ended after 0 minutes'],
      ['good', 'not run', 'the time of the night was over'],
    ]));

  it('ends when a person stops it, and still reports', async () => {
    const stopped = new AbortController();
    setTimeout(() => stopped.abort(), 300);
    assert.deepEqual(await outcomes([{ ...slow, minutes: 1 }, good], { signal: stopped.signal }), [
      ['slow', 'failed', 'stopped by a person'],
      ['good', 'not run', 'stopped by a person'],
    ]);
  });

  it('keeps what each has said, and reports what was counted and why something failed', async () => {
    const results = await night([good, { ...bad, environment: { SEED: '7' } }]);
    assert.equal(readFileSync(join(folder, 'good.log'), 'utf8'), 'counted: 7 plans\n');
    const text = reportOf(results, new Date('2026-11-22T23:00:00Z'));
    assert.match(text, /^The night of 2026-11-22: 1 passed, 1 failed, 0 not run, in 0:0\d\n/);
    assert.match(text, /^passed {3}good +0:0\d of {2}1 minutes {2}it is good$/m);
    assert.match(text, /^failed {3}bad .*it is bad \(exit code 3\)$/m);
    assert.match(text, /^good has counted:\n {2}7 plans$/m);
    assert.match(text, /^bad failed \(exit code 3\)\. Again: SEED=7 \S+node -e [\s\S]*bad\.log:\n {2}no server\n$/m);
  });
});

describe('the parts', () => {
  const parts = partsOf(nightOf(new Date()));
  const turns = [0, 1, 2, 3].map(partsOf);

  it('take four hours at most, all together, each night', () => {
    assert.equal(nightMinutes, 240);
    for (const all of turns) assert.ok(all.reduce((sum, { minutes }) => sum + minutes, 0) <= nightMinutes);
  });

  it('hold in one night of four the hour of the source that loses nothing, and in the others what it takes the place of', () => {
    const has = (name: string) => turns.map((all) => all.some((part) => part.name === name));
    assert.deepEqual(has('soak'), [false, false, false, true]);
    for (const name of ['singles', 'knative']) assert.deepEqual(has(name), [true, true, true, false]);
  });

  it('are npm scripts, each with a name of its own', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    for (const { command } of turns.flat())
      assert.ok(command[2] !== undefined && command[2] in scripts, command.join(' '));
    assert.equal(new Set(parts.map(({ name }) => name)).size, parts.length);
  });

  it('of three nights hold every file about real Knative that is too long for CI', () => {
    const starts = [0, 1, 2].flatMap((night) =>
      partsOf(night)
        .filter(({ name }) => name === 'knative')
        .flatMap(({ command }) => command.slice(command.indexOf('--') + 1)),
    );
    assert.deepEqual(testFiles('knative-night', root, starts), testFiles('knative-night', root, []));
  });

  it('that have shares come to all of them, night by night', () => {
    const shares = Array.from({ length: 60 }, (_, night) =>
      partsOf(night)
        .find(({ name }) => name === 'schedules')
        ?.command.at(-1),
    );
    assert.equal(new Set(shares).size, 60);
    assert.ok(shares.includes('1/60') && shares.includes('60/60'));
  });

  it('are told by --list, narrowed by their names, and refused where there is none', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(root, 'tools/night/night.ts'), ...args], { encoding: 'utf8' });
    assert.equal(run('--list').stdout.trimEnd().split('\n').length, parts.length);
    assert.match(
      run('--list', 'fuzz').stdout,
      /^fuzz +8 minutes .*FUZZ_EVENTS=1000000 FUZZ_SEED=\d+ npm run test:faults -- \S+\n$/,
    );
    const { status, stderr } = run('fuz');
    assert.equal(status, 2);
    assert.match(stderr, /^There is no part fuz\. The parts are: faults, /);
  });
});
