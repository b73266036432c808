import { KnudgeError } from '../domain/errors.ts';
import { maxContainers, maxDepth, maxKeys } from './limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const forbiddenKey = '__proto__';

/**
 * The JSON value in these bytes. Depth, keys and containers are counted before anything is built from them.
 * `wrappers` is how many levels around the data belong to an envelope. Throws `too-deep`, `forbidden-key`, or
 * `invalid-json`: never with a piece of the text, which may be a Secret's.
 */
export function parseJson(bytes: Uint8Array, wrappers = 0): unknown {
  const text = textOf(bytes);
  // Only these can spell the key: an escape other than \uXXXX gives none of its letters.
  const suspicious = text.includes(forbiddenKey) || text.includes('\\u');
  checkShape(bytes, maxDepth + wrappers, suspicious);
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new KnudgeError('invalid-json', `the body is not valid JSON${placeOf(thrown)}`);
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new KnudgeError('invalid-json', 'the body is not UTF-8: JSON must be');
  }
}

/**
 * One pass over the bytes, strings skipped; text that is no JSON is counted somehow and refused by the parser.
 * Bytes and not characters, since that is faster and UTF-8 uses none of these bytes inside another character.
 */
function checkShape(bytes: Uint8Array, depthLimit: number, suspicious: boolean): void {
  const shape: Shape = { depth: 0, keys: 0, containers: 0 };
  let stringStart = 0;
  let stringEnd = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      stringStart = at + 1;
      stringEnd = endOfString(bytes, stringStart);
      at = stringEnd;
    } else if (byte === colon) {
      addKey(shape);
      if (suspicious) refuseForbidden(bytes.subarray(stringStart, stringEnd));
    } else if ((byte & bothBrackets) === opening) {
      open(shape, depthLimit);
    } else if ((byte & bothBrackets) === closing) {
      shape.depth--;
    }
  }
}

interface Shape {
  depth: number;
  keys: number;
  containers: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** `[` and `{` are the same without this bit, and so are `]` and `}`. */
const bothBrackets = 0xdf;
const opening = 0x5b;
const closing = 0x5d;

/** Where the string that begins here has its closing quote; the end of the bytes where it has none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === quote) return at;
    at += byte === backslash ? 2 : 1;
  }
  return bytes.length;
}

function addKey(shape: Shape): void {
  if (++shape.keys > maxKeys) throw tooDeep(`more than ${maxKeys} keys`);
}

function open(shape: Shape, depthLimit: number): void {
  if (++shape.depth > depthLimit) throw tooDeep(`nesting deeper than ${maxDepth}`);
  if (++shape.containers > maxContainers) throw tooDeep(`more than ${maxContainers} objects and lists`);
}

function refuseForbidden(rawKey: Uint8Array): void {
  if (keyOf(utf8.decode(rawKey)) === forbiddenKey) {
    throw new KnudgeError('forbidden-key', `the body has a key ${forbiddenKey}: no Kubernetes object does`);
  }
}

/** A key without its escapes; what is no JSON string is nobody's key, the parser refuses it later. */
function keyOf(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return '';
  }
}

/** Of the parser's message only the position: the rest quotes the text. */
function placeOf(thrown: unknown): string {
  const position = thrown instanceof Error ? /position (\d+)/.exec(thrown.message)?.[1] : undefined;
  return position === undefined ? ' (is it cut off?)' : ` at character ${position}`;
}

function tooDeep(what: string): KnudgeError {
  return new KnudgeError('too-deep', `the body has ${what}: no object of the API server does`);
}
