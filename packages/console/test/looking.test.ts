import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { askerOf, type Looked } from '../model/looking.ts';

const from = Date.parse('2026-01-02T03:04:05.000Z');
const step = 100;
/** Milliseconds that the event log takes to answer. */
const answerTime = 200;

interface Question {
  readonly at: number;
  readonly seqs: readonly number[];
}

/** Has something done every 100 milliseconds, and lists the questions that came of it; functions answer an event after these milliseconds. */
async function questionsOf(
  { mock: { timers } }: TestContext,
  ms: number,
  { answersAfter, every }: { readonly answersAfter: number; readonly every: (want: Want, at: number) => void },
): Promise<readonly Question[]> {
  timers.enable({ apis: ['setTimeout', 'Date'], now: from });
  const questions: Question[] = [];
  const answered = new Set<number>();
  let open = 0;
  const want = askerOf({
    tries: new Map(),
    isAnswered: (seq) => answered.has(seq),
    read: async (events) => {
      open += 1;
      assert.equal(open, 1, 'one question at a time');
      const now = Date.now();
      questions.push({ at: now - from, seqs: events.map(({ seq }) => seq) });
      await new Promise((resolve) => setTimeout(resolve, answerTime));
      for (const { seq, time } of events) if (now - Date.parse(time) > answersAfter) answered.add(seq);
      open -= 1;
    },
  });
  for (let at = 0; at < ms; at += step) {
    every(want, at);
    timers.tick(step);
    await settle();
  }
  return questions;
}

type Want = (events: readonly Looked[]) => void;

const eventAt = (seq: number, at: number): Looked => ({ seq, time: new Date(from + at).toISOString() });

it('outcomes are asked for however many events come, also of a function that takes seconds to start', async (test) => {
  const events: Looked[] = [];
  const answersAfter = 6000;
  const questions = await questionsOf(test, 20_000, {
    answersAfter,
    every: (want, at) => {
      events.unshift(eventAt(at / step + 1, at));
      want(events.slice(0, 200));
    },
  });
  assert.ok(questions.length > 10, `${questions.length} questions`);
  for (const seq of [1, 50, 100]) {
    const asked = questions.filter(({ seqs }) => seqs.includes(seq)).map(({ at }) => at - (seq - 1) * step);
    assert.ok(Number(asked[0]) < 1000, `first asked for after ${asked[0]} ms`);
    assert.ok(Number(asked.at(-1)) > answersAfter, `asked for after ${asked} ms`);
    assert.ok(asked.length <= 6, `${asked.length} questions`);
  }
});

it('an event is asked for until functions have had the time to answer, and then no more', async (test) => {
  const questions = await questionsOf(test, 60_000, {
    answersAfter: 2000,
    every: (want, at) => at === 0 && want([eventAt(1, 0)]),
  });
  assert.deepEqual(
    questions.map(({ at }) => at),
    [300, 2000, 3700],
  );
});

it('an event that is not answered is asked for six times', async (test) => {
  const questions = await questionsOf(test, 60_000, {
    answersAfter: Number.POSITIVE_INFINITY,
    every: (want, at) => at === 0 && want([eventAt(1, 0)]),
  });
  assert.equal(questions.length, 6);
});

it('two events that come one after the other are asked for together', async (test) => {
  const events: Looked[] = [];
  const questions = await questionsOf(test, 60_000, {
    answersAfter: 1000,
    every: (want, at) => {
      if (at !== 0 && at !== 700) return;
      events.unshift(eventAt(events.length + 1, at));
      want([...events]);
    },
  });
  assert.ok(questions.length <= 5, `${questions.length} questions`);
  assert.ok(questions.slice(2).some(({ seqs }) => seqs.length === 2));
});
