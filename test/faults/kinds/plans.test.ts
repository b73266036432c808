import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { faultAt } from '../../../packages/controller/testing/kinds/boundaries.ts';
import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { boundariesOf } from './enumerate.ts';
import { parsePlan } from './parse-plan.ts';
import { printPlan } from './print-plan.ts';
import { sites } from './sites.ts';

const known = { scenarios: scenarios.map(({ name }) => name) };
const read = (text: string) => parsePlan(text, 'plan.yaml', known);
const folder = join(import.meta.dirname, '../plans');

test('every plan that is kept can be read and says why it is kept', () => {
  const files = readdirSync(folder);
  assert.ok(files.length >= 6);
  for (const file of files) {
    const plan = parsePlan(readFileSync(join(folder, file), 'utf8'), file, known);
    assert.match(file, /^[a-z0-9]+(-[a-z0-9]+)*\.yaml$/);
    assert.match(plan.about ?? '', /[.!]$/, file);
  }
});

test('what is printed is read as the same: every kind at every call', () => {
  const calls = Object.values(sites).map((call, at) => ({ ...call, at, run: 1, query: {}, body: 0, seen: call.done }));
  const boundaries = boundariesOf({ calls, marks: { lifted: 100, rest: 101, end: 102 } });
  const faults = boundaries.flatMap((boundary) =>
    kinds.filter(({ appliesTo }) => appliesTo(boundary.call)).map((kind) => faultAt(boundary, kind)),
  );
  assert.ok(faults.length > 400);
  for (const fault of faults) {
    const plan = { kind: 'faults', about: `${fault.when}: a fault`, scenario: 'create-tcp', faults: [fault] } as const;
    assert.deepEqual(read(printPlan(plan)), plan);
  }
});

test('what is printed is read as the same: schedules and storms', () => {
  const plain = { noNullPrototype: true } as const;
  const preemption = fc.record({ after: fc.nat(), to: fc.constantFrom(0, 1) }, plain);
  const schedule = fc.record(
    {
      kind: fc.constant('schedule' as const),
      scenarios: fc.array(fc.constantFrom(...known.scenarios), { minLength: 2, maxLength: 3 }),
      first: fc.constantFrom(0, 1),
      preemptions: fc.array(preemption, { maxLength: 2 }),
    },
    plain,
  );
  const about = fc.string({ minLength: 1 }).filter((text) => !/[\p{Cc}\p{Cs}\uFEFF\u2028\u2029]/u.test(text));
  const storm = fc.record(
    { kind: fc.constant('storm' as const), seed: fc.maxSafeInteger(), about, path: fc.constant('3:0:1') },
    { requiredKeys: ['kind', 'seed'], noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.oneof(schedule, storm), (plan) => {
      assert.deepEqual(read(printPlan(plan)), plan);
    }),
    { seed: 7 },
  );
});

const good = `kind: faults
scenario: create-tcp
faults:
  - match: {verb: create, resource: secrets, nth: 1}
    when: before
    action: {do: crash}
`;

const wrong: readonly (readonly [string, (text: string) => string, RegExp])[] = [
  ['a text that is no YAML', () => 'kind: [', /^Error: plan\.yaml:1: /],
  ['nothing at all', () => '# nothing\n', /plan\.yaml: a plan is one YAML document/],
  ['two documents', (text) => `${text}---\n${text}`, /a plan is one YAML document/],
  ['a list', () => '- 1\n', /plan\.yaml:1: kind is undefined: it must be one of faults, schedule, storm/],
  ['an unknown kind', (text) => text.replace('faults', 'fault'), /:1: kind is "fault": it must be one of/],
  [
    'an unknown field',
    (text) => `${text}why: because\n`,
    /:7: why is not known here: there are kind, scenario, faults, about/,
  ],
  ['a missing field', (text) => text.replace('scenario: create-tcp\n', ''), /:1: the plan has no scenario/],
  [
    'an unknown scenario',
    (text) => text.replace('-tcp', '-tpc'),
    /:2: scenario names no scenario: "create-tpc"; there are create-tcp, /,
  ],
  ['an empty sentence', (text) => `${text}about: ''\n`, /:7: about must be a text/],
  ['faults that are no list', () => 'kind: faults\nscenario: create-tcp\nfaults: {}\n', /:3: faults must be a list/],
  [
    'an unknown verb',
    (text) => text.replace('verb: create', 'verb: post'),
    /:4: faults\[0\]\.match\.verb is "post": it must be one of get, /,
  ],
  [
    'a resource in upper case',
    (text) => text.replace('secrets', 'Secret'),
    /:4: faults\[0\]\.match\.resource must be a plural/,
  ],
  ['no number', (text) => text.replace(', nth: 1', ''), /:4: faults\[0\]\.match has no nth/],
  [
    'a number that begins at 0',
    (text) => text.replace('nth: 1', 'nth: 0'),
    /faults\[0\]\.match\.nth must be a whole number from 1 on/,
  ],
  [
    'a list with a name',
    (text) => text.replace('verb: create', 'verb: list, name: web'),
    /match\.name must not be there: a list has no name/,
  ],
  ['an unknown moment', (text) => text.replace('before', 'during'), /:5: faults\[0\]\.when is "during"/],
  [
    'an unknown action',
    (text) => text.replace('do: crash', 'do: explode'),
    /:6: faults\[0\]\.action\.do is "explode": it must be one of crash, /,
  ],
  [
    "an action with another one's field",
    (text) => text.replace('do: crash', 'do: crash, ms: 3'),
    /:6: faults\[0\]\.action\.ms is not known here/,
  ],
  ['an action without its field', (text) => text.replace('do: crash', 'do: delay'), /faults\[0\]\.action has no ms/],
  [
    'a status that is none',
    (text) => text.replace('do: crash', 'do: answer, status: 99'),
    /action\.status must be a whole number from 200 to 599/,
  ],
  [
    'a header in upper case',
    (text) => text.replace('do: crash', 'do: answer, status: 429, headers: {Retry-After: "1"}'),
    /headers\.Retry-After must be in lower case/,
  ],
  [
    'a header that is a number',
    (text) => text.replace('do: crash', 'do: answer, status: 429, headers: {retry-after: 1}'),
    /headers\.retry-after must be a text/,
  ],
  ['an unknown meddling', (text) => text.replace('do: crash', 'do: meddle, how: steal'), /action\.how is "steal"/],
  [
    'a write that is stale',
    (text) => text.replace('do: crash', 'do: stale'),
    /action only a read can be stale, and this is create/,
  ],
  [
    'a write that is shortened',
    (text) => text.replace('do: crash', 'do: shorten, to: half'),
    /only a list can be shortened/,
  ],
  [
    'times that are none',
    (text) => text.replace('when: before', 'when: before\n    times: off'),
    /:6: faults\[0\]\.times must be a whole number/,
  ],
  [
    'a schedule of one',
    () => 'kind: schedule\nscenarios: [create-tcp]\nfirst: 0\npreemptions: []\n',
    /:2: scenarios must be a list of at least 2/,
  ],
  [
    'a handler that is not there',
    () => 'kind: schedule\nscenarios: [create-tcp, create-tcp]\nfirst: 2\npreemptions: []\n',
    /:3: first must be a whole number from 0 to 1/,
  ],
  ['a seed that is none', () => 'kind: storm\nseed: x\n', /:2: seed must be a whole number/],
];

test('the plan that the wrong ones are made from is right', () => assert.equal(read(good).kind, 'faults'));

for (const [name, spoil, because] of wrong) {
  test(`${name} is refused with the line and the field`, () => assert.throws(() => read(spoil(good)), because));
}
