import type { EventFilter, Gap, LogReader } from '../../packages/controller/domain/event-log.ts';

/** The newest gaps within the time of a filter, newest first. */
export async function gapsOf(log: LogReader, { since, until }: EventFilter): Promise<readonly Gap[]> {
  const gaps = await log.gaps({ order: 'newest-first', limit: 1000 });
  const [begin, end] = [Date.parse(since ?? ''), Date.parse(until ?? '')];
  return gaps.filter(({ from, to }) => !(Date.parse(to) < begin) && !(Date.parse(from) >= end));
}
