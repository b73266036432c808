import { KnudgeError } from '../../controller/domain/errors.ts';
import type { DeadLetterState } from '../../controller/domain/event-log.ts';
import type { Selection } from '../replay/read.ts';
import { usualRate } from '../replay/replay.ts';

/** Which recorded events a request wants to have sent again. */
export interface ReplayOrder extends Selection {
  readonly rate: number;
  readonly limit?: number;
  readonly dryRun: boolean;
}

const texts = ['since', 'until', 'type', 'kind', 'namespace', 'name', 'id'] as const;
const places = ['after', 'before'] as const;
const states: readonly unknown[] = ['open', 'sent-again', 'discarded'] satisfies readonly DeadLetterState[];
const highestRate = 1000;

/** The order in the body of `POST /replay`; an empty one means everything. Throws `invalid-json` or `invalid-request`. */
export function readOrder(body: Buffer): ReplayOrder {
  const order = objectIn(body.toString('utf8'));
  const known: readonly string[] = [...texts, ...places, 'deadLetters', 'rate', 'limit', 'dryRun'];
  const unknown = Object.keys(order).find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong(unknown, `is not known here: use one of ${known.join(', ')}`);
  for (const name of texts) {
    const value = order[name];
    if (value !== undefined && typeof value !== 'string') throw wrong(name, 'must be a text');
    const isTime = name === 'since' || name === 'until';
    if (isTime && value !== undefined && Number.isNaN(Date.parse(String(value)))) {
      throw wrong(name, 'must be a time such as 2026-01-02T03:04:05Z');
    }
  }
  for (const name of places) checkNumber(order, name, { least: 0, isWhole: true });
  checkNumber(order, 'limit', { least: 1, isWhole: true });
  checkNumber(order, 'rate', { least: 0.1, most: highestRate });
  const { deadLetters, rate = usualRate, limit, dryRun = false, ...filter } = order;
  if (deadLetters !== undefined && !states.includes(deadLetters)) {
    throw wrong('deadLetters', `must be one of ${states.join(', ')}`);
  }
  if (typeof dryRun !== 'boolean') throw wrong('dryRun', 'must be true or false');
  return { filter, rate, limit, deadLetters, dryRun } as ReplayOrder;
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below.
  }
  throw new KnudgeError('invalid-json', 'the body must be a JSON object such as {"kind":"Message"}, or empty');
}

interface Bounds {
  readonly least: number;
  readonly most?: number;
  readonly isWhole?: boolean;
}

function checkNumber(order: Readonly<Record<string, unknown>>, name: string, bounds: Bounds): void {
  const { least, most = Number.MAX_SAFE_INTEGER, isWhole = false } = bounds;
  const value = order[name];
  if (value === undefined) return;
  const isNumber = typeof value === 'number' && value >= least && value <= most;
  if (isNumber && (!isWhole || Number.isInteger(value))) return;
  throw wrong(name, `must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`);
}

function wrong(name: string, why: string): KnudgeError {
  return new KnudgeError('invalid-request', `the field ${name.slice(0, 64)} ${why}`);
}
