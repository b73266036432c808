import { asKnudgeError } from '../../packages/controller/domain/errors.ts';
import type { LogReader } from '../../packages/controller/domain/event-log.ts';
import { type LogOptions, openLog } from '../open-log.ts';

/** A log to which functions report what became of events. */
export type ReportingLog = Pick<LogReader, 'events' | 'deliveries'>;

/** With the log of a mesh or of a cluster, if it can be read and functions report to it. */
export async function withReportingLog<Result>(
  { kubeconfig, namespace, dir }: Pick<LogOptions, 'kubeconfig' | 'namespace' | 'dir'>,
  use: (log: ReportingLog | undefined) => Promise<Result>,
): Promise<Result> {
  const opened = await openLog({ ...(kubeconfig !== undefined && { kubeconfig }), namespace, dir }).catch(unlessFault);
  try {
    const any = await opened?.log.deliveries({}, { order: 'newest-first', limit: 1 }).catch(unlessFault);
    return await use(any === undefined || any.length === 0 ? undefined : opened?.log);
  } finally {
    await opened?.close();
  }
}

/** A log that is away or may not be read is done without. */
function unlessFault(error: unknown): undefined {
  if (asKnudgeError(error).code === 'internal') throw error;
}

/** The Broker tries such an answer again. */
export function isTriedAgain(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}
