import { binary, type Case, quick } from '../case.ts';

const [first, second] = [binary({ id: 'e-1' }), binary({ id: 'e-2' })];
const again = { ...quick, backoffDelay: 'PT0.4S' };

export const order: readonly Case[] = [
  {
    kind: 'broker',
    name: 'whoever sends one event after the other waits for the retries of the first: head-of-line blocking',
    triggers: { fn: { delivery: again } },
    whole: [],
    ordered: true,
    answers: { fn: [{ status: 503 }, { status: 503 }, { status: 202 }] },
    posts: [first, second],
  },
  {
    kind: 'broker',
    name: 'of two events at the same time the second does not wait for the first',
    triggers: {
      slow: { filters: [{ exact: { id: 'e-1' } }], delivery: again },
      quick: { filters: [{ exact: { id: 'e-2' } }], delivery: again },
    },
    whole: [],
    answers: { slow: [{ status: 202, afterMs: 1500 }] },
    atOnce: true,
    posts: [first, second],
  },
  {
    kind: 'broker',
    name: 'a slow Trigger does not hold back another one of the same event, but who sent it',
    triggers: {
      slow: { filters: [{ exact: { id: 'e-1' } }], delivery: again },
      both: { delivery: again },
    },
    whole: [],
    heldBack: true,
    answers: { slow: [{ status: 202, afterMs: 1200 }] },
    posts: [first, second],
  },
  {
    kind: 'broker',
    name: 'the dead letter of an event comes before the next event',
    triggers: { fn: { delivery: { ...quick, retry: 1 } } },
    whole: [],
    ordered: true,
    answers: { fn: [{ status: 503 }, { status: 503 }, { status: 202 }] },
    posts: [first, second],
  },
];
