import { quantile } from '../mesh/quantile.ts';
import type { Calls } from './audit.ts';
import type { Figures } from './measured.ts';
import type { Split } from './tree.ts';
import type { Sizes, Turn } from './turn.ts';

/** The part of a turn that is kept. */
export function figuresOf(turn: Turn, { messages, unrelated }: Sizes): Figures {
  const each = ({ own, platform }: Split): Split => ({ own: own / unrelated, platform: platform / unrelated });
  return {
    p50: quantile(turn.toPod, 0.5),
    p99: quantile(turn.toPod, 0.99),
    bare: quantile(turn.bare, 0.5),
    burstPods: turn.burst.pods,
    burstProcessed: turn.burst.processed,
    cpuMs: turn.cpuMs,
    calls: forEach(turn.calls, messages),
    idleMb: turn.idleMb,
    fullMb: turn.fullMb,
    waits: each(turn.unrelated.waits),
    unrelatedCpuMs: each(turn.unrelated.cpuMs),
    unrelatedCalls: turn.unrelated.calls,
    toFirstAnswer: turn.toFirstAnswer,
  };
}

function forEach(calls: Calls, messages: number): Calls {
  return Object.fromEntries(Object.entries(calls).map(([name, count]) => [name, count / messages]));
}
