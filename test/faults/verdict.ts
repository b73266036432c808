import type { Fault } from '../../packages/controller/testing/fault.ts';
import type { Finding, Trace } from '../../packages/controller/testing/trace.ts';

/** What came of a plan. */
export interface Verdict {
  /** Faults that no call has met: a plan with such a one has shown nothing. */
  readonly unreached: readonly Fault[];
  readonly findings: readonly Finding[];
  readonly trace: Trace;
}

/** Whether a plan has shown that all is right. */
export function isPassed({ unreached, findings }: Verdict): boolean {
  return unreached.length === 0 && findings.length === 0;
}
