import type { Finding, Trace } from '../../../packages/controller/testing/trace.ts';
import { createOracles } from '../oracles/oracles.ts';
import { inspectSimulated } from './issuer.ts';

const { judge } = createOracles({ inspect: inspectSimulated });
const mixed = createOracles({ inspect: inspectSimulated, isMixed: true });

/** What the oracles say of a run on the embedded API; `clean` is the same without faults. */
export function judgeRun(trace: Trace, clean: Trace | undefined): readonly Finding[] {
  return judge(trace, clean);
}

/** The same where another version of the controller ran beside for a while. */
export function judgeMixedRun(trace: Trace): readonly Finding[] {
  return mixed.judge(trace, undefined);
}
