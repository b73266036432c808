import { createOracles } from '../oracles/oracles.ts';
import type { Finding, Trace } from '../trace.ts';
import { inspectSimulated } from './issuer.ts';

const { judge } = createOracles({ inspect: inspectSimulated });

/** What the oracles say of a run on the embedded API; `clean` is the same without faults. */
export function judgeRun(trace: Trace, clean: Trace | undefined): readonly Finding[] {
  return judge(trace, clean);
}
