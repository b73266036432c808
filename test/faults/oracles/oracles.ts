import type { Finding, Oracle, Trace } from '../../../packages/controller/testing/trace.ts';
import { type OraclesWith, partsOf } from './inspection.ts';
import { convergence } from './o1-convergence.ts';
import { differential } from './o2-differential.ts';
import { writeBudget } from './o3-write-budget.ts';
import { provenance } from './o4-provenance.ts';
import { noForeignTouch } from './o5-no-foreign-touch.ts';
import { finalizer } from './o6-finalizer.ts';
import { certificates } from './o7-certificates.ts';
import { status } from './o8-status.ts';
import { replyContract } from './o9-reply-contract.ts';
import { effort } from './o10-effort.ts';
import { loops } from './o11-loops.ts';
import { reports } from './o12-reports.ts';

export interface OracleRow {
  readonly id: string;
  /** What it holds a run to, in a sentence. */
  readonly says: string;
  readonly oracle: Oracle;
}

export interface Oracles {
  readonly oracles: readonly OracleRow[];
  /** All that any oracle has to say against a run; `clean` is the same scenario without faults, if there is one. */
  judge(trace: Trace, clean: Trace | undefined): readonly Finding[];
}

/** Every oracle, for runs whose functions were given these things. */
export function createOracles(given: Partial<OraclesWith> & Pick<OraclesWith, 'inspect'>): Oracles {
  const parts = partsOf(given);
  const oracles: readonly OracleRow[] = [
    { id: 'O1', says: 'at rest a decision wants nothing more, and all stays as it is', oracle: convergence(parts) },
    { id: 'O2', says: 'at rest all is as without faults', oracle: differential },
    { id: 'O3', says: 'nothing is written at rest, and nothing is made anew for nothing', oracle: writeBudget },
    { id: 'O4', says: 'no child goes back to what an older owner or input says', oracle: provenance(parts) },
    { id: 'O5', says: 'nothing is touched that is not ours', oracle: noForeignTouch(parts) },
    { id: 'O6', says: 'the finalizer leaves last, and leaves nothing behind', oracle: finalizer },
    { id: 'O7', says: 'one authority, and certificates that it signed with their keys', oracle: certificates(parts) },
    { id: 'O8', says: 'a status says what was seen, and no secret', oracle: status },
    { id: 'O9', says: 'an answer says what became of the event', oracle: replyContract },
    { id: 'O10', says: 'no run works without bounds', oracle: effort(parts) },
    { id: 'O11', says: 'nothing goes back and forth while nobody changes anything', oracle: loops },
    { id: 'O12', says: 'what is replaced is reported, once', oracle: reports },
  ];
  return { oracles, judge: (trace, clean) => oracles.flatMap(({ oracle }) => oracle(trace, clean)) };
}
