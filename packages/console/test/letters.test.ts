import assert from 'node:assert/strict';
import { it } from 'node:test';
import { answersOf, groupsOf, withTouched } from '../model/letters.ts';
import { readOf } from '../model/looking.ts';
import { objectOf } from '../model/objects.ts';
import type { RecordedEvent } from '../model/types.ts';
import { readRecorded } from './recorded.ts';

const { events, deadLetters } = readRecorded();
const eventAt = (seq: number) => events.find((event) => event.seq === seq) as RecordedEvent;

it('dead letters are in one group where the function and the reason are the same', () => {
  const groups = groupsOf(deadLetters).map(({ function: name, cause, letters }) => [name, cause, letters.length]);
  assert.deepEqual(groups, [
    ['distributed-service-changed', '400 invalid-json: the body is not valid JSON', 1],
    ['message-changed', '400 invalid-json: the body is not valid JSON', 3],
  ]);
});

it('a dead letter is as a person left it, until it fails anew or the list says more', () => {
  const [one, two, three] = deadLetters.map((letter) => ({ ...letter, state: 'open', times: 1 }) as const);
  assert.ok(one && two && three);
  const again = { ...one, state: 'sent-again' } as const;
  const touched = new Map([[one.seq, again]]);
  const statesOf = (letters: readonly { readonly seq: number; readonly state: string }[]) =>
    letters.map(({ seq, state }) => [seq, state]);
  const newestFirst = [one, two].toSorted((left, right) => right.seq - left.seq).map(({ seq }) => seq);
  const shown = withTouched([two], touched);
  assert.deepEqual(
    shown.map(({ seq }) => seq),
    newestFirst,
  );
  assert.deepEqual(statesOf(withTouched([one], touched)), [[one.seq, 'sent-again']]);
  assert.deepEqual(statesOf(withTouched([{ ...one, times: 2 }], touched)), [[one.seq, 'open']]);
  assert.deepEqual(statesOf(withTouched([{ ...one, state: 'discarded' }], touched)), [[one.seq, 'discarded']]);
});

it('what became of dead letters is what their functions answered after they came, for all of them at once', () => {
  const [letter, other] = deadLetters;
  assert.ok(letter && other);
  const at = new Date(Date.parse(letter.last) + 1000).toISOString();
  const base = { attempt: 1, ms: 1, status: 204, outcome: 'done', reads: 0, writes: 0, parents: [], written: [] };
  const own = {
    ...base,
    event: 1,
    id: letter.id,
    at,
    seq: 1,
    function: /([^/]+)$/.exec(letter.destination)?.[1] ?? '',
  };
  const rows = [own, { ...own, seq: 2, outcome: 'ignored' }, { ...own, seq: 3, function: 'another' }];
  const before = { ...own, seq: 4, at: letter.last };
  assert.deepEqual(
    [...answersOf([letter, { ...other, id: 'none' }], [...rows, before])].map(([seq, { outcome }]) => [seq, outcome]),
    [[letter.seq, 'ignored']],
  );
});

it('of a cut answer, events that are older than its oldest delivery are not known', () => {
  const at = (seconds: number) => ({ seq: seconds, time: `2026-01-02T03:04:0${seconds}.000Z` });
  const asked = [at(5), at(3), at(1)];
  const answered = [{ at: at(4).time }, { at: at(2).time }];
  assert.deepEqual(readOf(asked, { deliveries: answered, isCut: false }), asked);
  assert.deepEqual(readOf(asked, { deliveries: answered, isCut: true }), [at(5), at(3)]);
  assert.deepEqual(readOf([at(1)], { deliveries: answered, isCut: true }), []);
});

it('an object is the same in its own namespace alone', () => {
  const event = { ...eventAt(145), namespace: 'shop' };
  const { kind = '', name = '' } = event;
  assert.equal(objectOf(event), objectOf({ kind, name, namespace: 'shop' }));
  assert.notEqual(objectOf(event), objectOf({ kind, name, namespace: 'default' }));
  assert.equal(objectOf({ kind: 'Node', name: 'n' }), objectOf({ kind: 'Node', name: 'n', namespace: '' }));
});
