import { KnudgeError } from '../../controller/domain/errors.ts';
import type { RecordedEvent } from '../../controller/domain/event-log.ts';
import { toReceived } from '../../controller/wire/envelope.ts';

/**
 * The events of a file, one a line as `knudge events export` writes them, in the order of its lines. The place of each is the
 * number of its line. Throws `invalid-request` with that number for a line that is not an event or is older than the one before.
 */
export async function* eventsIn(lines: AsyncIterable<string>, name: string): AsyncGenerator<RecordedEvent> {
  let [number, former] = [0, 0];
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const event = eventIn(line, (why) => new KnudgeError('invalid-request', `${name}, line ${number}: ${why}`));
    if (event.seq <= former && event.seq !== 0) throw new KnudgeError('invalid-request', disorder(name, number));
    former = event.seq;
    yield { ...event, seq: number };
  }
}

function disorder(name: string, number: number): string {
  const order = "sort it by seq: jq -s -c 'sort_by(.seq)[]'";
  return `${name}, line ${number}: its place (seq) is not after that of the line before. Events are sent oldest first; ${order}`;
}

type Fail = (why: string) => KnudgeError;

function eventIn(line: string, fail: Fail): RecordedEvent {
  const {
    extensions = {},
    data,
    seq = 0,
    shortened,
    ...rest
  } = objectIn(parsed(line, fail), fail, 'it is not a JSON object');
  const texts = { id: rest['id'], source: rest['source'], type: rest['type'], time: rest['time'] };
  const about = { kind: rest['kind'], namespace: rest['namespace'], name: rest['name'] };
  const others = objectIn(extensions, fail, 'its extensions are not an object');
  const attributes = Object.entries({ ...others, ...texts, ...about, specversion: '1.0' });
  const given = attributes.filter((pair): pair is [string, string] => pair[1] !== undefined);
  const odd = given.find(([, value]) => typeof value !== 'string');
  if (odd !== undefined) throw fail(`its ${odd[0].slice(0, 64)} is not a text`);
  if (!Number.isSafeInteger(seq)) throw fail('its seq is not a whole number');
  if (!isLength(shortened)) throw fail('its shortened is not a number of bytes');
  const { id, type, source, time } = envelopeOf(given, fail);
  if (time === undefined) throw fail('it has no time');
  return {
    seq: Number(seq),
    recorded: time,
    id,
    source,
    type,
    time,
    extensions: others as Record<string, string>,
    ...Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined)),
    ...(data !== undefined && { data }),
    ...(shortened !== undefined && { shortened }),
  };
}

function isLength(value: unknown): value is number | undefined {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) > 0);
}

function parsed(line: string, fail: Fail): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw fail('it is not JSON');
  }
}

function objectIn(value: unknown, fail: Fail, why: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw fail(why);
}

/** Checks before anything is sent what a Broker would refuse. */
function envelopeOf(attributes: readonly [string, string][], fail: Fail): ReturnType<typeof toReceived> {
  try {
    return toReceived(new Map(attributes), undefined);
  } catch (thrown) {
    throw fail((thrown as Error).message);
  }
}
