import { resolve } from 'node:path';
import type { Outgoing } from '../../packages/controller/domain/change.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { type ReplayResult, replay } from '../../packages/event-log/replay/replay.ts';
import { openBroker } from '../broker.ts';
import { exitCodes } from '../exit-codes.ts';
import { show } from '../show.ts';
import { untilSignal } from '../until-signal.ts';
import { again, summaryOf } from './ending.ts';
import { keyOf, type ReplayOptions, type Typed } from './options.ts';
import { openPlaces, type Places } from './place.ts';
import { createProgress, type Progress } from './progress.ts';
import { openSource, type Source } from './source.ts';

/** Sends what the options select. If something stops it, throws that with the place it reached and the command that continues. */
export async function sendEvents(options: ReplayOptions, typed: Typed): Promise<void> {
  const places = openPlaces(resolve(options.dir), keyOf(options, typed));
  const from = options.resume ? placeIn(places, options) : undefined;
  const source = await openSource(options, from);
  try {
    const result = await sendAll({ options, source, places });
    settle(result, { options, source, places });
  } finally {
    await source.close();
  }
}

interface Sending {
  readonly options: ReplayOptions;
  readonly source: Source;
  readonly places: Places;
}

function placeIn(places: Places, { dir }: ReplayOptions) {
  const from = places.read();
  if (from !== undefined) return from;
  throw new KnudgeError(
    'misuse',
    `No replay of these events has ended early in ${resolve(dir)}: leave out --resume to send them from the first`,
  );
}

async function sendAll({ options, source, places }: Sending): Promise<ReplayResult> {
  if (source.total === 0) return { sent: 0, refused: 0, end: 'all' };
  const { limit, json = false } = options;
  const total = Math.min(source.total, limit ?? source.total);
  const progress = createProgress({ total, stream: process.stderr, now: () => performance.now(), isQuiet: json });
  const stop = new AbortController();
  void untilSignal(process, process.exit).then(() => stop.abort());
  const way = await openWay(options, source);
  const { bounded } = source;
  try {
    return await replay({
      events: source.events,
      send: way.send,
      signal: stop.signal,
      perSecond: options.rate,
      ...(limit !== undefined && { limit }),
      onSent: ({ seq }, counts) => {
        places.remember({ bounded, after: seq });
        progress.update(counts);
      },
      onRefused: (event, { message }, counts) => {
        places.remember({ bounded, after: event.seq });
        tellRefused(event, message, { progress, json });
        progress.update(counts);
      },
      onWait: ({ message }, ms) => progress.say(`${message}: the next try in ${(ms / 1000).toFixed(1)} s`),
    });
  } finally {
    progress.end();
    await way.close();
  }
}

interface Way {
  send(event: Outgoing, recorded: RecordedEvent): Promise<void>;
  close(): Promise<void>;
}

/** Sends a dead letter through the log, which marks it; with a named Broker it goes straight there and stays unmarked. */
async function openWay(options: ReplayOptions, { post }: Source): Promise<Way> {
  const { deadLetters, broker } = options;
  // The replay itself waits and tries again.
  if (deadLetters === undefined || broker !== undefined || post === undefined) return openBroker(options, []);
  return {
    send: async (_, { seq }) => void (await post(`/dead-letters/${seq}/retry`, {})),
    close: async () => {},
  };
}

function tellRefused(
  { seq, id, source, type }: RecordedEvent,
  message: string,
  { progress, json }: { readonly progress: Progress; readonly json: boolean },
): void {
  if (json) console.log(JSON.stringify({ refused: { seq, id, source, type, message } }));
  else progress.say(`${seq}  ${id}  is refused and skipped: ${message}`);
}

/** Prints the result, and keeps the place if events are left. */
function settle(result: ReplayResult, { options, source, places }: Sending): void {
  if (result.end === 'all') places.forget();
  else places.flush();
  const next = result.end === 'all' ? undefined : again(process.argv.slice(2), result.last !== undefined);
  const summary = summaryOf(result, { title: source.title, total: source.total, passed: source.passed(), next });
  if (result.end === 'failed' && result.error !== undefined) {
    const { code, message } = result.error;
    if (options.json) console.log(JSON.stringify(summary.value));
    throw new KnudgeError(code, `${message}\n${summary.text}`, { cause: result.error });
  }
  show(summary.value, () => summary.text, options);
  if (result.refused > 0 || result.end === 'stopped') process.exitCode = exitCodes.failed;
}
