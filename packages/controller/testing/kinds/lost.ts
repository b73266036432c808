import { always, every, type FaultKind, isEvent, isRead, isWrite, seen } from './kind.ts';

const crash = { do: 'crash' } as const;
const hang = { do: 'hang' } as const;
const reset = { do: 'reset' } as const;
const unknown = {
  undone: seen({ read: 'read-failed', write: 'unknown-undone' }),
  done: seen({ read: 'read-failed', write: 'unknown-done' }),
};

/**
 * Milliseconds: Knudge waits 5 s for one call of the API server and 9 s for all of an event. On a busy machine the clocks
 * of L2 are half a second late, and what it gave up counts there as answered.
 */
const late = { under: 4500, over: 5100, pastDeadline: 10_000 } as const;
const delay = (ms: number) => () => ({ do: 'delay', ms }) as const;

/**
 * The handler, the connection or the answer is lost. After a read there is nothing to lose: what is lost after its effect
 * is tried at writes alone.
 */
export const lost: readonly FaultKind[] = [
  {
    id: 'W1-crash-before',
    says: 'the process dies before the call goes out',
    when: 'before',
    appliesTo: every,
    action: () => crash,
    sees: always('dead-before'),
  },
  {
    id: 'W2-crash-after',
    says: 'the process dies when the call has been carried out',
    when: 'after',
    appliesTo: isWrite,
    action: () => crash,
    sees: always('dead-after'),
  },
  {
    id: 'W1-crash-thrice',
    says: 'the process dies at this call three times in a row',
    when: 'before',
    appliesTo: isWrite,
    action: () => crash,
    times: 3,
    sees: always('dead-before'),
  },
  {
    id: 'W3-time-out',
    says: 'the call never reaches the server, and no answer comes',
    when: 'before',
    appliesTo: every,
    action: () => hang,
    sees: unknown.undone,
  },
  {
    id: 'W3-lost-answer',
    says: 'the call is carried out, and no answer comes',
    when: 'after',
    appliesTo: isWrite,
    action: () => hang,
    sees: unknown.done,
  },
  {
    id: 'W3-reset-after',
    says: 'the call is carried out, and the connection is reset',
    when: 'after',
    appliesTo: isWrite,
    action: () => reset,
    sees: unknown.done,
  },
  {
    id: 'W4-reset',
    says: 'the connection is reset before the server sees the call; a read is tried again at once',
    when: 'before',
    appliesTo: every,
    action: () => reset,
    sees: seen({ read: 'nothing', write: 'unknown-undone' }),
  },
  {
    id: 'W4-reset-twice',
    says: 'the connection is reset, and again when the read is tried again',
    when: 'before',
    appliesTo: isRead,
    action: () => reset,
    times: 2,
    sees: always('read-failed'),
  },
  {
    id: 'W4-unreachable',
    says: 'the connection is reset until the fault is lifted',
    when: 'before',
    appliesTo: every,
    action: () => reset,
    times: 'on',
    sees: unknown.undone,
  },
  {
    id: 'W17-slow',
    says: 'the answer comes just in time',
    when: 'after',
    appliesTo: every,
    action: delay(late.under),
    sees: always('nothing'),
  },
  {
    id: 'W17-slow-on',
    says: 'every answer to this call comes just in time, so that many of them take longer than an event may',
    when: 'after',
    appliesTo: every,
    action: delay(late.under),
    times: 'on',
    sees: always('nothing'),
  },
  {
    id: 'W17-too-slow',
    says: 'the answer comes just too late',
    when: 'after',
    appliesTo: every,
    action: delay(late.over),
    sees: unknown.done,
  },
  {
    id: 'W17-past-the-deadline',
    says: 'the answer comes when the event should have been answered',
    when: 'after',
    appliesTo: every,
    action: delay(late.pastDeadline),
    sees: unknown.done,
  },
  {
    id: 'W17-late-write',
    says: 'the server begins with the write when the handler has given it up',
    when: 'before',
    appliesTo: (call) => isWrite(call) && !isEvent(call),
    action: delay(late.over),
    sees: always('late'),
  },
];
