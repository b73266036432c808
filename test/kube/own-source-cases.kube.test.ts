import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { differences } from '../../packages/kube-api/fidelity/differences.ts';
import { sources } from '../knative/cases/areas/sources.ts';
import type { SourceCase } from '../knative/cases/case.ts';
import { recorded } from '../knative/cases/expected.ts';
import type { Target } from '../knative/cases/observe.ts';
import { isRefusedForGood, startOwnSource } from '../knative/cases/own-source.ts';
import type { Receiver } from '../knative/cases/receiver.ts';
import { type Outcome, runTable } from '../knative/cases/run-table.ts';
import { isSourceRow, type Row, rowsOf } from '../knative/cases/table.ts';
import { testKubeconfig } from './api.ts';
import '../../resources/managed/kinds.ts';

/** Of kinds that no function is about Knudge knows no path. */
const isOfNobody = ({ one }: Row<SourceCase>): boolean => one.resource?.kind === 'ClusterRole';
const all = rowsOf({ sources }).filter(isSourceRow);
const rows = all.filter((row) => !isOfNobody(row));

/** The ApiServerSource sends one event of a kind at a time; in Knudge's own source other objects go on. */
const othersGoOn = 'a later change waits for the tries of the first';

/**
 * In that case the first object is refused until the other one is there: a slow machine makes the second when three tries of the first are
 * over.
 */
function refusingUntilOther(receiver: Receiver): Receiver {
  const { id } = rows.find(({ one }) => one.name === othersGoOn) ?? assert.fail(othersGoOn);
  const isOtherThere = () => receiver.got(id).some(({ name }) => name === 'b');
  return {
    ...receiver,
    expect: (asked, answer) =>
      receiver.expect(asked, (got, before) =>
        asked === id && got.name === 'a' ? { status: isOtherThere() ? 202 : 503 } : answer(got, before),
      ),
  };
}

let target: Target | undefined;
let outcomes: ReadonlyMap<Row, Outcome>;
before(async () => {
  target = await startOwnSource(rows, testKubeconfig());
  ({ outcomes } = await runTable(rows, { ...target, receiver: refusingUntilOther(target.receiver) }));
});
after(() => target?.close());

const outcomeOf = (row: Row): Outcome => {
  const outcome = outcomes.get(row) ?? assert.fail(`${row.one.name} did not run`);
  assert.equal(outcome['failed'], undefined);
  return outcome;
};
const idsOf = (row: Row, name: string) =>
  new Set(
    (target?.receiver.got(row.id) ?? []).filter((got) => got.name === name).map(({ headers }) => headers['ce-id']),
  );

const alike = rows.filter((row) => !isRefusedForGood(row) && row.one.name !== othersGoOn);

for (const row of alike) {
  test(`Knudge's own source sends what real Knative's was recorded to send: ${row.one.name}`, () => {
    assert.deepEqual(differences(recorded('sources')[row.one.name], outcomeOf(row)), []);
  });
}

for (const row of rows.filter(isRefusedForGood)) {
  test(`it goes on trying, and other objects do not wait: ${row.one.name}`, () => {
    outcomeOf(row);
    assert.equal(idsOf(row, 'a').size, 1, 'each try is of the same event');
    assert.equal(idsOf(row, 'end').size, 1);
  });
}

test('it lets other objects go on while one is tried again', () => {
  const row = rows.find(({ one }) => one.name === othersGoOn) ?? assert.fail(othersGoOn);
  const order = (outcomeOf(row) as { readonly order?: readonly string[] }).order ?? [];
  assert.ok(order.indexOf('resource.add b') < order.lastIndexOf('resource.add a'), order.join(', '));
});

test('the cases are those of the table but two, and about half of them are alike', () => {
  assert.equal(all.length - rows.length, 2);
  assert.ok(alike.length >= 15, `${String(alike.length)} are alike`);
});
