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
  const length = bytes.length;
  let depth = 0;
  let keys = 0;
  let containers = 0;
  let stringStart = 0;
  let stringEnd = 0;
  let at = 0;
  while (at < length) {
    const byte = bytes[at++] as number;
    if (byte === 0x22 /* " */) {
      stringStart = at;
      while (at < length) {
        const inside = bytes[at++];
        if (inside === 0x22) break;
        if (inside === 0x5c /* \ */) at++;
      }
      stringEnd = at - 1;
    } else if (byte === 0x3a /* : */) {
      if (++keys > maxKeys) throw tooDeep(`more than ${maxKeys} keys`);
      if (suspicious) refuseForbidden(bytes.subarray(stringStart, stringEnd));
    } else if ((byte & 0xdf) === 0x5b /* [ { */) {
      if (++depth > depthLimit) throw tooDeep(`nesting deeper than ${maxDepth}`);
      if (++containers > maxContainers) throw tooDeep(`more than ${maxContainers} objects and lists`);
    } else if ((byte & 0xdf) === 0x5d /* ] } */) {
      depth--;
    }
  }
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
