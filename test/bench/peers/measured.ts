import type { Contender, Figures, Measured } from '../../../bench/peers/measured.ts';

/** A turn in which all is 10 by default. */
export function turn(more: Partial<Figures> = {}): Figures {
  const both = { own: 10, platform: 0 };
  return {
    p50: 10,
    p99: 10,
    bare: 5,
    burstPods: 10_000,
    burstProcessed: 12_000,
    toFirstAnswer: 1000,
    cpuMs: both,
    idleMb: both,
    fullMb: both,
    waits: { own: 0, platform: 0 },
    unrelatedCpuMs: both,
    calls: { 'create pods': 1 },
    unrelatedCalls: 0,
    ...more,
  };
}

export function contender(name: string, turns: readonly Figures[], more: Partial<Contender> = {}): Contender {
  return { name, label: `the ${name}`, turns, curve: [], ...more };
}

export function measured(...contenders: readonly Contender[]): Measured {
  return {
    date: '2026-11-25T12:00:00.000Z',
    system: 'Node',
    cpus: 2,
    load: [3, 4],
    messages: 1000,
    latency: 30,
    unrelated: 1000,
    contenders,
    missing: [{ label: 'Somebody', why: 'it is nowhere' }],
  };
}
