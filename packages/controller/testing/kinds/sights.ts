import type { Sight } from './kind.ts';

interface Standing {
  /** The kind that stands for all that are seen so. */
  readonly by: string;
  /** Why one is enough, or why none is needed in pairs. */
  readonly because: string;
  /** Whether it is one of two faults in a pair. */
  readonly inPairs: boolean;
}

/**
 * What a fault comes to. A handler knows of a call only the error code that the transport makes of it (packages/controller/cluster), and what
 * it does then follows from the code's `retry` and from whether the reconcile takes it for stale. Two faults that give one
 * code and leave the same objects behind therefore differ in words and in time alone: single faults try all of them,
 * pairs one of each.
 */
export const sights: Readonly<Record<Sight, Standing>> = {
  nothing: {
    by: 'W15-unauthorized',
    because: 'the transport tries again and the handler never hears of it: the pair is the other fault alone',
    inPairs: false,
  },
  'dead-before': {
    by: 'W1-crash-before',
    because:
      'tried at writes only: reads change nothing, so a death at any read leaves what a death before the next write leaves, or, where none follows, what one after the last write leaves',
    inPairs: true,
  },
  'dead-after': { by: 'W2-crash-after', because: 'the write stands and its event comes again', inPairs: true },
  'read-failed': {
    by: 'W12-throttled-huge',
    because:
      'every failed read is thrown, nothing is written and the event comes again, as after a death at that read; only the status of the answer differs',
    inPairs: false,
  },
  'unknown-undone': {
    by: 'W13-500',
    because: 'a time-out, a reset and any 5xx before the write are all outcome-unknown with nothing done',
    inPairs: true,
  },
  'unknown-done': {
    by: 'W14-500',
    because: 'a lost, late, spoilt or false answer to a write are all outcome-unknown with the write done',
    inPairs: true,
  },
  late: {
    by: 'W17-late-write',
    because: 'the only fault whose write comes after the handler has read anew',
    inPairs: true,
  },
  conflict: {
    by: 'W5-conflict',
    because: 'an old version and another uid are both conflict; the object is there, changed',
    inPairs: true,
  },
  'taken-by-ours': { by: 'W6-ours', because: 'already-exists, and what is there is right', inPairs: true },
  'taken-by-another': { by: 'W6-foreign', because: 'already-exists, and what is there is not ours', inPairs: true },
  gone: {
    by: 'W7-deleted',
    because: 'the write finds nothing; tried at writes: before a read it is drift',
    inPairs: true,
  },
  replaced: { by: 'W7-replaced', because: 'the write finds another uid; before a read it is drift', inPairs: true },
  refused: {
    by: 'W10-webhook-403',
    because: 'invalid, denied, over quota and terminating are one branch; only the word in the condition differs',
    inPairs: true,
  },
  'put-off': {
    by: 'W12-throttled-huge',
    because: 'nothing is written, and known not to be: thrown at once, whatever the code',
    inPairs: true,
  },
  old: { by: 'R1-stale', because: 'of reads that see the past', inPairs: true },
  'too-little': { by: 'R4-empty-list', because: 'nothing is less than half', inPairs: true },
  'input-gone': {
    by: 'R2-input-deleted',
    because: 'it is drift of an input just before a read: what follows is decided from one consistent view',
    inPairs: false,
  },
  'parent-edited': {
    by: 'R2-parent-edited',
    because: 'tried at writes: before a read it only makes the parent that is read newer, and the parent is read last',
    inPairs: true,
  },
  'parent-deleted': { by: 'R2-parent-deleted', because: 'at writes, as an edit', inPairs: true },
  'parent-recreated': { by: 'R2-parent-recreated', because: 'at writes, as an edit', inPairs: true },
};
