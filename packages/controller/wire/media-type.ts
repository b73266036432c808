import { KnudgeError } from '../domain/errors.ts';

/** How an event travels: attributes in headers, or everything in one JSON object. */
export type Mode = 'binary' | 'structured';

/** The form of a Content-Type that names UTF-8 or no charset at all; other parameters do not matter. */
const utf8Charset = /^utf-?8$/i;

/**
 * The mode that a Content-Type asks for (CloudEvents HTTP binding 1.0, section 3).
 * Throws `unsupported-media-type` for batches and for formats of CloudEvents other than JSON.
 */
export function modeOf(contentType: string): Mode {
  const type = essence(contentType);
  if (!type.startsWith('application/cloudevents')) return 'binary';
  if (type === 'application/cloudevents+json') {
    requireUtf8(contentType);
    return 'structured';
  }
  throw unsupported(
    `${type} is not taken: send one event a request, in binary mode or as application/cloudevents+json`,
  );
}

/** Throws `unsupported-media-type` unless this Content-Type says JSON in UTF-8. */
export function requireJson(contentType: string): void {
  const type = essence(contentType);
  if (type === 'application/json' || type.endsWith('+json') || type.endsWith('/json')) {
    requireUtf8(contentType);
    return;
  }
  throw unsupported(`data of type ${type === '' ? '(none given)' : type} is not taken: send application/json`);
}

function essence(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

function requireUtf8(contentType: string): void {
  if (!contentType.includes(';')) return;
  for (const parameter of contentType.split(';').slice(1)) {
    const [name = '', value = ''] = parameter.split('=', 2);
    if (name.trim().toLowerCase() !== 'charset') continue;
    if (!utf8Charset.test(value.trim().replace(/^"(.*)"$/, '$1'))) {
      throw unsupported('this charset is not taken: send UTF-8');
    }
  }
}

function unsupported(message: string): KnudgeError {
  return new KnudgeError('unsupported-media-type', message);
}
