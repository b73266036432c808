import type { Cause } from './types.ts';

/** What a function has to do with an event, as a sentence around its name, which ends in the event that made it do so. */
export interface How {
  /** What comes before the name: that Knudge did not do it, or may not have done it. */
  readonly before: string;
  readonly did: string;
}

const words: Readonly<Record<Cause['by'], How>> = {
  version: { before: '', did: 'wrote this version' },
  uid: { before: '', did: 'deleted it' },
  id: { before: '', did: 'sent it' },
  object: {
    before: 'No function reports this version: somebody else changed the object, or the report is missing.',
    did: 'made the object before',
  },
  name: { before: 'This is a guess, since the event names no version:', did: 'wrote the object shortly before' },
};

export function howOf({ by }: Pick<Cause, 'by'>): How {
  return words[by];
}
