import type { OraclesWith } from '../oracles/inspection.ts';
import { createOracles } from '../oracles/oracles.ts';
import type { Finding, Trace } from '../trace.ts';
import { inspectSimulated } from './issuer.ts';

const { judge } = createOracles({ inspect: inspectSimulated });

/** What the oracles say of a run on the embedded API; `clean` is the same without faults. */
export function judgeRun(trace: Trace, clean: Trace | undefined): readonly Finding[] {
  return judge(trace, clean);
}

/** The same where another version of the controller, with these images, ran beside for a while. */
export function judgeMixedRun(trace: Trace, otherImages: OraclesWith['images']): readonly Finding[] {
  return createOracles({ inspect: inspectSimulated, otherImages }).judge(trace, undefined);
}
