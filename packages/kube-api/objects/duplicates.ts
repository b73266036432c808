import type { WriteOptions } from '../http/options.ts';
import { badRequest } from '../http/problem.ts';
import type { JsonObject } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { decode } from './conform.ts';

interface Level {
  /** Undefined for a list. */
  readonly keys: Set<string> | undefined;
  readonly path: string;
  index: number;
  key: string;
}

/** The paths of fields that a JSON text has twice: `metadata.name`, `spec.containers[0].image`. */
function duplicateFields(text: string): readonly string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  let last = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g)) {
    const level = levels.at(-1);
    switch (token) {
      case '{':
      case '[':
        levels.push({ keys: token === '{' ? new Set() : undefined, path: pathOf(level), index: 0, key: '' });
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (level) level.index++;
        break;
      case ':':
        if (level && isTwice(level, String(JSON.parse(last)))) found.push(pathOf(level));
        break;
      default:
        last = token;
    }
  }
  return found;
}

/** Moves on to the next key of an object; returns whether the key was there before. */
function isTwice(level: Level, key: string): boolean {
  level.key = key;
  const isThere = level.keys?.has(key) === true;
  level.keys?.add(key);
  return isThere;
}

function pathOf(level: Level | undefined): string {
  if (level === undefined) return '';
  if (level.keys === undefined) return `${level.path}[${level.index}]`;
  return level.path === '' ? level.key : `${level.path}.${level.key}`;
}

interface Text {
  readonly body: JsonObject;
  readonly text: string;
  readonly validation: WriteOptions['validation'];
}

/** decode(), which also reports fields that are given twice, although JSON.parse keeps only the last one. */
export function decodeText(kind: Kind, { body, text, validation }: Text): ReturnType<typeof decode> {
  // A text as JSON.stringify writes it names nothing twice.
  const twice =
    validation === 'Ignore' || !text.startsWith('{') || JSON.stringify(body) === text
      ? []
      : duplicateFields(text).map((path) => `duplicate field "${path}"`);
  if (twice.length === 0) return decode(kind, body, validation);
  const { object, warnings } = decode(kind, body, 'Warn');
  if (validation === 'Warn') return { object, warnings: [...twice, ...warnings] };
  const said = [...twice, ...warnings].join(', ');
  const what = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}`;
  throw badRequest(`${what}: strict decoding error: ${said}`);
}
