import { resolve } from 'node:path';
import type { DeadLetterState } from '../../packages/controller/domain/event-log.ts';
import type { BrokerOptions } from '../broker.ts';
import type { FilterOptions } from '../filters.ts';
import type { LogOptions } from '../open-log.ts';

/** The options that select recorded events of a log or of a file. */
export interface SourceOptions extends LogOptions, FilterOptions {
  readonly deadLetters?: DeadLetterState;
  readonly file?: string;
}

export interface ReplayOptions extends SourceOptions, Pick<BrokerOptions, 'broker' | 'timeout'> {
  readonly rate: number;
  readonly limit?: number;
  readonly dryRun?: boolean;
  readonly plan?: boolean;
  readonly resume?: boolean;
}

/** Times as they were typed: an age stands for another time at each run. */
export type Typed = Readonly<Partial<Record<'since' | 'until', string>>>;

/** A key that is the same for the same replay: which events, of which log, to which Broker. */
export function keyOf(options: ReplayOptions, typed: Typed): string {
  const { type, kind, object, inNamespace, id, deadLetters, file, broker, kubeconfig, namespace } = options;
  const paths = { file: file && resolve(file), kubeconfig: kubeconfig && resolve(kubeconfig) };
  return JSON.stringify({ ...typed, type, kind, object, inNamespace, id, deadLetters, broker, namespace, ...paths });
}
