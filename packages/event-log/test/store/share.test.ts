import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { excessOf, type Holding } from '../../store/share.ts';

const room = 1024;
const sender = (name: string, bytes: number) => ({ source: `/${name}`, namespace: 'shop', bytes });
const holding = (parts: Partial<Holding>): Holding => ({
  room,
  letters: 0,
  deliveries: 0,
  events: 0,
  largest: [],
  ...parts,
});

suite('what goes where there is too much', () => {
  test('nothing as long as all fits', () => {
    assert.equal(excessOf(holding({})), undefined);
    const largest = [sender('a', 512), sender('b', 384)];
    assert.equal(excessOf(holding({ letters: 128, events: 896, largest })), undefined);
  });

  test('of a sender who floods its own events, as soon as it has half of the room', () => {
    const largest = [sender('flood', 600), sender('b', 10)];
    const wanted = { kind: 'events', sender: largest[0], bytes: 88 };
    assert.deepEqual(excessOf(holding({ events: 610, largest })), wanted);
  });

  test('of all of them those of whoever has most, down to the next', () => {
    const largest = [sender('a', 500), sender('b', 490)];
    const of = (bytes: number) => ({ kind: 'events', sender: largest[0], bytes });
    assert.deepEqual(excessOf(holding({ events: 1200, largest })), of(10));
    assert.deepEqual(excessOf(holding({ events: 1027, largest })), of(3));
    const same = [sender('a', 500), sender('b', 500)];
    assert.deepEqual(excessOf(holding({ events: 1200, largest: same })), { kind: 'events', sender: same[0], bytes: 1 });
  });

  test('no dead letter, however many events there are, unless dead letters have more than an eighth', () => {
    const largest = [sender('a', 400)];
    assert.equal(excessOf(holding({ letters: 128, events: 4000, largest }))?.kind, 'events');
    assert.equal(excessOf(holding({ letters: 128, events: 4000 })), undefined, 'none is left to go');
    assert.deepEqual(excessOf(holding({ deliveries: 130, letters: 128 })), { kind: 'deliveries', bytes: 2 });
    assert.equal(excessOf(holding({ deliveries: 128, events: 800, largest }))?.kind, undefined);
    assert.deepEqual(excessOf(holding({ letters: 130, events: 4000, largest })), { kind: 'dead-letters', bytes: 2 });
  });
});
