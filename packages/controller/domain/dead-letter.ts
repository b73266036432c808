import type { Received } from './change.ts';
import { redactText } from './redact-text.ts';

/** Why the Broker gave up on an event, as far as Knative says. */
export interface DeadLetterReason {
  /** The address of the program that did not take it, without its query and without credentials; empty where Knative did not say. */
  readonly destination: string;
  /** The HTTP status; absent where there was none. */
  readonly status?: number;
  /** What was answered, out of its base64, without objects and secrets. */
  readonly said?: string;
}

/** Whether the Broker has been refused this event before, with a status: of a time-out it says nothing. */
export function isDeadLetter(extensions: Received['extensions']): boolean {
  return extensions.has('knativeerrorcode');
}

/** The reason in the extensions that Knative adds to a dead letter; no text of it is longer than a few lines. */
export function reasonOf({ extensions }: Pick<Received, 'extensions'>): DeadLetterReason {
  const of = (name: string): string | undefined => extensions.get(name)?.slice(0, longest);
  const [code = '', said] = [of('knativeerrorcode'), saidIn(extensions.get('knativeerrordata'))];
  return {
    destination:
      of('knativeerrordest')
        ?.split('?')[0]
        ?.replace(/\/\/[^/@]*@/, '//') ?? '',
    ...(/^\d{3}$/.test(code) && { status: Number(code) }),
    ...(said !== undefined && { said }),
  };
}

/** Characters of any one text that is repeated. */
const longest = 512;

/**
 * The answer of who failed, out of its base64. Of JSON only the message and code that Knudge's functions answer with,
 * and of what merely looks like JSON nothing: it may be a piece of an object, and the object a Secret.
 */
function saidIn(data: string | undefined): string | undefined {
  if (data === undefined) return undefined;
  const text = Buffer.from(data, 'base64').toString('utf8');
  return redactText(/^\s*[[{"]/.test(text) ? messageIn(text) : text).slice(0, longest);
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
