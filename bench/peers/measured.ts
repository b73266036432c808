import type { Calls } from './audit.ts';
import type { Split } from './tree.ts';

/** The kept figures of one turn of one contestant: milliseconds and megabytes. */
export interface Figures {
  readonly p50: number;
  readonly p99: number;
  /** For the apply of a ConfigMap, p50. */
  readonly bare: number;
  readonly burstPods: number;
  readonly burstProcessed: number;
  readonly cpuMs: Split;
  /** For each Message. */
  readonly calls: Calls;
  readonly idleMb: Split;
  readonly fullMb: Split;
  /** For each unrelated Pod. */
  readonly waits: Split;
  readonly unrelatedCpuMs: Split;
  readonly unrelatedCalls: number;
  readonly toFirstAnswer: number;
}

/** A point of the memory curve. */
export interface Point {
  readonly pods: number;
  readonly mb: Split;
}

export interface Contender {
  readonly name: string;
  readonly label: string;
  /** One for each round. */
  readonly turns: readonly Figures[];
  readonly curve: readonly Point[];
  /** Why there are no figures, or fewer. */
  readonly failure?: string;
}

/** The whole result of a run, as it is written. */
export interface Measured {
  readonly date: string;
  readonly system: string;
  readonly cpus: number;
  /** The load of the machine before and after, one minute's average. */
  readonly load: readonly number[];
  readonly messages: number;
  readonly latency: number;
  readonly unrelated: number;
  readonly contenders: readonly Contender[];
  readonly missing: readonly { readonly label: string; readonly why: string }[];
}

/** Both parts together. */
export function whole({ own, platform }: Split): number {
  return own + platform;
}
