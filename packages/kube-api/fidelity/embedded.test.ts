import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Case } from './case.ts';
import { areas } from './cases.ts';
import { differences } from './differences.ts';
import { startEmbedded } from './embedded.ts';
import { recorded } from './record.ts';
import { createSuite, type Suite } from './suite.ts';

let suite: Suite;
let close: () => Promise<void>;

before(async () => {
  const started = await startEmbedded();
  suite = createSuite(started.server);
  close = started.close;
});
after(() => close());

for (const [area, cases] of Object.entries(areas)) {
  const expected = recorded(area);
  for (const one of cases.filter(needsNodeAlone)) {
    test(`${area}: ${one.name}`, async () => {
      // Each difference as a path, what the real one answered (-) and what the embedded one does (+).
      assert.deepEqual(differences(expected[one.name], await suite.run(one)), []);
    });
  }
}

test('the table has at least 200 cases, and each is in the record', () => {
  const all = Object.entries(areas).flatMap(([area, cases]) => cases.map(({ name }) => ({ area, name })));
  assert.ok(all.length >= 200, `${all.length} cases`);
  assert.deepEqual(
    all.filter(({ area, name }) => recorded(area)[name] === undefined),
    [],
  );
});

test('no area has two cases of one name', () => {
  for (const [area, cases] of Object.entries(areas)) {
    assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length, area);
  }
});

/** kubectl is not there wherever Node is: its cases run in npm run test:fidelity. */
function needsNodeAlone({ given = [], steps }: Case): boolean {
  return [...given, ...steps].every(({ kind }) => kind !== 'kubectl');
}
