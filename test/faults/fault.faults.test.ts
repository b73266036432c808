import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'knudge-plans-'));
after(() => rmSync(folder, { recursive: true }));

function fault(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/faults/fault.ts', ...args], {
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}` };
}

function planFile(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('every plan that is kept shows that all is right', () => {
  const plans = globSync('test/faults/plans/*.yaml').sort();
  assert.ok(plans.length > 0);
  const { status, said } = fault(...plans);
  assert.equal(status, 0, said);
  assert.equal(said.match(/^all is right/gm)?.length, plans.length);
});

const crash = (nth: number): string => `kind: faults
scenario: message-create
faults:
  - match: { verb: create, resource: pods, nth: ${nth} }
    when: after
    action: { do: crash }
`;

test('a plan whose fault no call has met is an error, and says which', () => {
  const { status, said } = fault(planFile('late.yaml', crash(9)));
  assert.equal(status, 1);
  assert.match(said, /never reached: create pods\s+\(9\)/);
});

test('the trace of a plan shows the call, the write and the answer that never came', () => {
  const { status, said } = fault('--trace', planFile('crash.yaml', crash(1)));
  assert.equal(status, 0, said);
  assert.match(said, /create pods msg-hello → 201, seen as 0 after crash/);
  assert.match(said, /ADDED Pod shop\/msg-hello/);
  assert.match(said, /message-changed answered 0/);
});

test('a schedule and a storm are plans too', () => {
  const schedule = planFile(
    'schedule.yaml',
    'kind: schedule\nscenarios: [change-text, message-delete]\nfirst: 0\npreemptions: [{ after: 1, to: 1 }]\n',
  );
  const storm = planFile('storm.yaml', 'kind: storm\nseed: 3\n');
  const { status, said } = fault('--json', schedule, storm);
  assert.equal(status, 0, said.slice(0, 1000));
  const lines = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly passed: boolean });
  assert.deepEqual(
    lines.map(({ passed }) => passed),
    [true, true],
  );
});

test('what is no plan is refused with file and line', () => {
  const { status, said } = fault(planFile('bad.yaml', 'kind: faults\nscenario: nothing-such\nfaults: []\n'));
  assert.equal(status, 2);
  assert.match(said, /bad\.yaml:2: scenario names no scenario/);
});
