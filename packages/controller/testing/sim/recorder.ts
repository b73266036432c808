import type { Trace, TracedAnswer, TracedCall, TracedChange } from '../trace.ts';

/** Writes down what happens, in order. */
export interface Recorder {
  /** The next number. */
  tick(): number;
  /** The writer of all changes until another one is set. */
  by: TracedChange['by'];
  staleReads: boolean;
  call(call: TracedCall): void;
  change(change: Omit<TracedChange, 'at' | 'by'>): void;
  answer(answer: Omit<TracedAnswer, 'at'>): void;
  say(text: string): void;
  mark(name: keyof Trace['marks']): void;
  trace(end: Pick<Trace, 'objects' | 'resting' | 'parents' | 'now'>): Trace;
}

export function createRecorder(): Recorder {
  const calls: TracedCall[] = [];
  const changes: TracedChange[] = [];
  const answers: TracedAnswer[] = [];
  const output: string[] = [];
  const marks = { lifted: 0, rest: 0, end: 0 };
  let at = 0;
  const tick = (): number => {
    at += 1;
    return at;
  };
  const recorder: Recorder = {
    tick,
    by: { who: 'user' },
    staleReads: false,
    call: (call) => void calls.push(call),
    change: (change) => void changes.push({ at: tick(), by: recorder.by, ...change }),
    answer: (answer) => void answers.push({ at: tick(), ...answer }),
    say: (text) => void output.push(text),
    mark: (name) => {
      marks[name] = tick();
    },
    trace: (end) => ({ calls, changes, answers, output, marks, staleReads: recorder.staleReads, ...end }),
  };
  return recorder;
}
