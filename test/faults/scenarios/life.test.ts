import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withOwnSource } from '../sim/source.ts';
import { live, lives, type Woken } from './life.ts';

/** Of each row of the table in docs/source.md: events and wake-ups behind ApiServerSources, and behind Knudge's own source. */
const measured = new Map<string, readonly [usual: Woken, own: Woken]>();

for (const life of lives) {
  test(`what wakes functions in the life of ${life.name}`, async (t) => {
    const [usual, own] = [await live(life), await withOwnSource(() => live(life))];
    for (const [part, woken] of usual) measured.set(`${life.name}: ${part}`, [woken, own.get(part) ?? nothing]);
    measured.set(`${life.name}: all its life`, [sumOf(usual), sumOf(own)]);
    t.diagnostic(JSON.stringify([...measured]));
    for (const [part, { events, wakes }] of own) {
      assert.ok(events <= (usual.get(part)?.events ?? 0), part);
      assert.ok(wakes <= (usual.get(part)?.wakes ?? 0), part);
    }
    assert.deepEqual(own.get(unlooked(own)), nothing, 'what no function looks at wakes nobody');
  });
}

test('a life is the same whenever it is lived', async () => {
  const [life] = lives;
  assert.ok(life);
  assert.deepEqual(await live(life), await live(life));
});

test('the table in docs/source.md says what was measured', () => {
  const lines = readFileSync('docs/source.md', 'utf8').split('\n');
  const wrong = [...measured].flatMap(([row, [usual, own]]) => {
    const right = `| ${row} | ${usual.events} | ${own.events} | ${usual.wakes} | ${own.wakes} |`;
    return lines.includes(right) ? [] : [right];
  });
  assert.deepEqual(wrong, []);
  assert.equal(measured.size, 12);
});

const nothing: Woken = { events: 0, wakes: 0 };

function unlooked(parts: ReadonlyMap<string, Woken>): string {
  return [...parts.keys()].find((part) => part.endsWith('says what no function looks at')) ?? '';
}

function sumOf(parts: ReadonlyMap<string, Woken>): Woken {
  const add = (sum: Woken, one: Woken): Woken => ({ events: sum.events + one.events, wakes: sum.wakes + one.wakes });
  return [...parts.values()].reduce(add, nothing);
}
