import { createHash } from 'node:crypto';
import { createMasks } from '../../../packages/kube-api/fidelity/masks.ts';
import type { Values } from '../../../packages/kube-api/fidelity/placeholders.ts';
import type { Got } from './receiver.ts';

/** Headers of one connection, and of Go's client and of ours. */
const ofTheConnection = ['host', 'accept-encoding', 'content-length', 'user-agent', 'connection', 'transfer-encoding'];

/** What is another one each time, in the events of every sender. */
const masked: Readonly<Record<string, string>> = {
  'ce-knativearrivaltime': '{time of arrival}',
  'ce-knativeerrordata': '{see data}',
};

/** Steps of the waits: one between two of them counts as the lower. A machine that is busy makes waits longer, never shorter. */
const ladder = [0, 0.8, 1.6, 3.2, 6.4];
/** Timers may be early by this many milliseconds. */
const earlyMs = 15;
/** A longer text is compared by its length and hash. */
const longText = 2000;

/** Makes requests of one case comparable: what is random or belongs to the place becomes a word in braces. */
export function createNormal(values: Values): {
  request(got: Got): Readonly<Record<string, unknown>>;
  text(text: string): string;
} {
  const own = Object.fromEntries([...values].filter(([, value]) => value !== ''));
  // Addresses before the namespaces and names that are in them.
  const { receiver = '', nobody = '', ...names } = own;
  const masks = createMasks({ receiver, nobody, 'port of nobody': nobody.replace('http://', ''), ...names });
  const text = (raw: string): string => String(masks.value(raw));
  return {
    text,
    request: ({ headers, body }) => {
      const kept = Object.entries(headers)
        .filter(([name]) => !ofTheConnection.includes(name))
        .map(([name, value]): [string, string] => [name, maskedHeader(name, String(value), headers)]);
      const told = headers['ce-knativeerrordata'];
      return {
        headers: masks.value(Object.fromEntries(kept)),
        ...(typeof told === 'string' && { data: text(Buffer.from(told, 'base64').toString()) }),
        ...(body.length > 0 && { body: bodyOf(body, masks.value) }),
      };
    },
  };
}

function maskedHeader(name: string, value: string, { 'ce-type': type = '' }: Got['headers']): string {
  const isSourced = /^dev\.knative\.(apiserver|sources\.ping)/.test(String(type));
  if (isSourced && name === 'ce-time') return '{time}';
  if (isSourced && name === 'ce-source' && value.startsWith('http')) return '{api server}';
  return masked[name] ?? value;
}

function bodyOf(body: Buffer, mask: (value: unknown) => unknown): unknown {
  const text = body.toString();
  try {
    return mask(shortened(JSON.parse(text)));
  } catch {
    return mask(shortened(text));
  }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longText ? sumOf(value) : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]));
}

function sumOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  return `${text.length} letters, SHA-256 ${hash.slice(0, 16)}`;
}

/** A wait in milliseconds as its class in seconds. */
export function classOf(ms: number): string {
  const found = ladder.findLastIndex((step) => ms + earlyMs >= step * 1000);
  return `from ${ladder[Math.max(found, 0)]} s`;
}
