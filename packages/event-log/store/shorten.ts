import { KnudgeError } from '../../controller/domain/errors.ts';
import { notKept } from '../../controller/domain/redact-text.ts';

/** Bytes that are kept of one event: of its attributes, its extensions and its data as JSON. */
const mostBytes = 64 * 1024;

export interface Texts {
  /** JSON. */
  readonly extensions: string;
  readonly data: string | null;
  /** The bytes that the whole event would take; null if it is whole. */
  readonly shortened: number | null;
  /** The bytes that it takes. */
  readonly bytes: number;
}

/**
 * What is kept of an event: all of it if it is small enough, else the parts that say what it is about. Attributes stay; short
 * extensions stay in half of the room that is left; of an object its metadata stays, or else its name. Throws `too-large`
 * if the attributes alone are too large.
 */
export function shorten(
  attributes: readonly string[],
  extensions: readonly (readonly [string, string])[],
  data: unknown,
): Texts {
  const fixed = attributes.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (fixed > mostBytes) {
    const limit = 'id, source, type, time, kind, namespace and name may have 65536 bytes together';
    throw new KnudgeError(
      'too-large',
      `the event log does not keep an event with ${fixed} bytes of attributes: ${limit}`,
    );
  }
  const whole = { extensions: textOf(Object.fromEntries(extensions)), data: textOf(data) };
  const bytes = fixed + lengthOf(whole.extensions) + lengthOf(whole.data);
  if (bytes <= mostBytes) return { ...whole, extensions: whole.extensions ?? '{}', shortened: null, bytes };
  const short = textOf(Object.fromEntries(shortest(extensions, (mostBytes - fixed) / 2))) ?? '{}';
  const room = mostBytes - fixed - lengthOf(short);
  const forms = [data, ...partsOf(data)].map(textOf);
  const kept = forms.find((text) => lengthOf(text) <= room) ?? null;
  return { extensions: short, data: kept, shortened: bytes, bytes: mostBytes - room + lengthOf(kept) };
}

/** As many extensions, shortest first, as fit into this many bytes together. */
function shortest(
  extensions: readonly (readonly [string, string])[],
  room: number,
): readonly (readonly [string, string])[] {
  const sizeOf = (one: readonly [string, string]): number => lengthOf(JSON.stringify(one));
  let left = room;
  return extensions
    .map((one) => ({ one, size: sizeOf(one) }))
    .sort((a, b) => a.size - b.size)
    .flatMap(({ one, size }) => {
      left -= size;
      return left < 0 ? [] : [one];
    });
}

/** Ever smaller parts of an object. Each says, wherever it can, that something is missing. */
function partsOf(data: unknown): readonly unknown[] {
  if (!isFields(data) || !isFields(data['metadata'])) return [];
  const { apiVersion, kind, metadata, ...others } = data;
  const { annotations: _, managedFields: __, ...meta } = metadata as Fields;
  const { name, namespace, uid, resourceVersion, ownerReferences, labels } = meta;
  const named = { name, namespace, uid, resourceVersion };
  const missing = Object.fromEntries(Object.keys(others).map((field) => [field, notKept]));
  return [
    { apiVersion, kind, metadata: meta, ...missing },
    { apiVersion, kind, metadata: { ...named, labels, ownerReferences }, [notKept]: notKept },
    { apiVersion, kind, metadata: named, [notKept]: notKept },
  ];
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return JSON.stringify(value) ?? null;
}

function lengthOf(text: string | null): number {
  return Buffer.byteLength(text ?? '');
}
