import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { shortType } from '../filters.ts';
import { untilSignal } from '../until-signal.ts';
import { countOf } from '../words.ts';
import type { ReplayOptions } from './options.ts';
import { openSource } from './source.ts';

/** An event without its data and its extensions. */
export function headOf({ seq, time, id, source, type, kind, namespace, name, shortened }: RecordedEvent): object {
  return { seq, time, id, source, type, kind, namespace, name, shortened };
}

/** The same as one line for people. */
export function lineOf({ seq, time, type, kind, namespace, name, id, shortened }: RecordedEvent): string {
  const object = kind === undefined ? '-' : `${kind} ${namespace ?? ''}${namespace ? '/' : ''}${name ?? ''}`;
  return `${seq}  ${time}  ${shortType(type)}  ${object}  ${id}${shortened === undefined ? '' : '  (shortened)'}`;
}

/** `knudge replay --dry-run`: prints what would be sent, one event a line. */
export async function listEvents(options: ReplayOptions): Promise<void> {
  const { json, limit = Number.POSITIVE_INFINITY } = options;
  const stop = { now: false };
  void untilSignal(process, process.exit).then(() => {
    stop.now = true;
  });
  const source = await openSource(options);
  try {
    let count = 0;
    for await (const event of source.events) {
      if (stop.now || count >= limit) break;
      count += 1;
      console.log(json ? JSON.stringify(headOf(event)) : lineOf(event));
    }
    if (!json) console.log(`${countOf(count, 'event')} of ${source.title} would be sent`);
  } finally {
    await source.close();
  }
}
