import { maxAttributeLength } from './change.ts';
import { type Delivered, mostAtOnce, mostParents, mostWritten, type Written } from './delivery.ts';
import { errorCodes, KnudgeError } from './errors.ts';
import type { Outcome } from './plan.ts';
import { isTime } from './time.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is no error; `no-answer` is what the mesh reports of a function that did not answer. */
const results: Readonly<Record<Outcome['result'] | 'no-answer', true>> = {
  done: true,
  gone: true,
  ignored: true,
  planned: true,
  'no-answer': true,
};
const outcomes: ReadonlySet<string> = new Set([...Object.keys(results), ...Object.keys(errorCodes)]);

/** The deliveries in the data of an event. Throws `invalid-event` if it has another form; texts that are too long are cut. */
export function readDeliveries(data: unknown): readonly Delivered[] {
  const { deliveries } = fieldsIn(data, 'data');
  if (!Array.isArray(deliveries) || deliveries.length > mostAtOnce) throw wrong('deliveries');
  return deliveries.map(readDelivery);
}

/** One of them. */
export function readDelivery(value: unknown): Delivered {
  const fields = fieldsIn(value, 'deliveries');
  const event = fieldsIn(fields['event'], 'event');
  const at = textIn(fields, 'at');
  if (!isTime(at)) throw wrong('at');
  const optional = ['attempt', 'coldMs', 'inVain', 'unlisted'] as const;
  const counts = optional.flatMap((name) =>
    fields[name] === undefined ? [] : [[name, Math.round(numberIn(fields, name))]],
  );
  const texts = (['traceId', 'instance'] as const).flatMap((name) =>
    fields[name] === undefined ? [] : [[name, textIn(fields, name)]],
  );
  return {
    event: { id: textIn(event, 'id', maxAttributeLength), source: textIn(event, 'source', maxAttributeLength) },
    function: textIn(fields, 'function'),
    at,
    ms: numberIn(fields, 'ms'),
    status: Math.round(numberIn(fields, 'status')),
    outcome: outcomeOf(textIn(fields, 'outcome')),
    reads: Math.round(numberIn(fields, 'reads')),
    writes: Math.round(numberIn(fields, 'writes')),
    parents: listIn(fields, 'parents', mostParents).map((one) => textOf(one, 'parents')),
    written: listIn(fields, 'written', mostWritten).map(readWritten),
    ...Object.fromEntries([...counts, ...texts]),
  };
}

/** Each outcome becomes a series of the metrics for ever: what no function of Knudge says is `other`. */
function outcomeOf(said: string): string {
  return outcomes.has(said) ? said : 'other';
}

function readWritten(value: unknown): Written {
  const fields = fieldsIn(value, 'written');
  const of = (name: string): string => textIn(fields, name);
  return {
    do: of('do'),
    kind: of('kind'),
    namespace: of('namespace'),
    name: of('name'),
    uid: of('uid'),
    resourceVersion: of('resourceVersion'),
    ...(fields['shared'] === true && { shared: true as const }),
  };
}

/** Characters of one text. An id or a source is never cut, because the log compares them whole with those of the events. */
const longest = 512;

/** The largest number that a column of both stores takes. */
const largest = 2 ** 31 - 1;

function fieldsIn(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw wrong(name);
}

function textIn(fields: Fields, name: string, most = longest): string {
  return textOf(fields[name], name, most);
}

/** Neither store accepts a NUL. */
function textOf(value: unknown, name: string, most = longest): string {
  if (typeof value === 'string') return value.slice(0, most).replaceAll('\0', ' ');
  throw wrong(name);
}

function numberIn(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value === 'number' && value >= 0 && value <= largest) return value;
  throw wrong(name);
}

function listIn(fields: Fields, name: string, most: number): readonly unknown[] {
  const value = fields[name];
  if (Array.isArray(value) && value.length <= most) return value;
  throw wrong(name);
}

function wrong(name: string): KnudgeError {
  return new KnudgeError(
    'invalid-event',
    `a report of deliveries is refused: its ${name} is wrong. Functions of Knudge and the mesh make such events`,
  );
}
