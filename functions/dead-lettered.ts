import type { EventHandler } from '../src/domain/ports.ts';

/** The Broker gave up on an event: says so, with what it knows of the reason. The event itself is not kept. */
export const deadLettered: EventHandler = async ({ id, type, source, extensions }, { log }) => {
  const of = (name: string): string | undefined => extensions.get(name)?.slice(0, longest);
  log.warn(
    {
      ...{ event: id, type, source, kind: of('kind'), namespace: of('namespace'), name: of('name') },
      ...{ destination: of('knativeerrordest')?.split('?')[0], code: of('knativeerrorcode') },
      said: saidIn(extensions.get('knativeerrordata')),
    },
    'dead letter',
  );
  return { result: 'done', reads: 0, writes: 0 };
};

/** Characters of any one text that is repeated. */
const longest = 512;

/**
 * The answer of who failed, out of its base64. Of JSON only the message and code that Knudge's functions answer with,
 * and of what merely looks like JSON nothing: it may be a piece of an object, and the object a Secret.
 */
function saidIn(data: string | undefined): string | undefined {
  if (data === undefined) return undefined;
  const text = Buffer.from(data, 'base64').toString('utf8');
  return /^\s*[[{"]/.test(text) ? messageIn(text) : text.slice(0, longest);
}

function messageIn(json: string): string {
  try {
    const { code, message } = JSON.parse(json) as { readonly code?: unknown; readonly message?: unknown };
    if (typeof code === 'string' && typeof message === 'string') return `${code}: ${message}`.slice(0, longest);
  } catch {
    // Not JSON after all, or cut off.
  }
  return 'not shown: it is neither an answer of Knudge nor a plain text';
}
