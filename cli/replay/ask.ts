import type { Outgoing } from '../../packages/controller/domain/change.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { encode } from '../../packages/controller/wire/encode.ts';
import { type ObjectPlan, plansIn } from '../../packages/event-log/replay/plans.ts';
import type { CloudEvent } from '../../packages/mesh/cloud-event.ts';

/** The answer of a function to a dry run of an event. */
export type Planned =
  | { readonly kind: 'planned'; readonly plans: readonly ObjectPlan[] }
  | { readonly kind: 'failed'; readonly why: string };

export interface AskWith {
  /** Seconds for the answer. */
  readonly timeout: number;
  /** The token for a function of a cluster. */
  readonly token?: string | undefined;
}

/** The header that carries a token. */
export function bearing(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** Asks a function what it would write. Throws `unavailable` if it does not answer. */
export async function askPlan(url: string, event: Outgoing, { timeout, token }: AskWith): Promise<Planned> {
  const { headers: attributes, body } = encode(event);
  const headers = { ...attributes, ...bearing(token) };
  const place = new URL(url);
  place.searchParams.set('dryRun', 'All');
  const signal = AbortSignal.timeout(timeout * 1000);
  const answer = await fetch(place, { method: 'POST', headers, body, signal }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    (thrown: unknown) => thrown as Error & { readonly cause?: Error },
  );
  if (answer instanceof Error) {
    const why = answer.cause?.message || answer.message;
    throw new KnudgeError('unavailable', `${url} does not answer: ${why}`, { cause: answer });
  }
  if (answer.status === 204) return { kind: 'planned', plans: [] };
  const said = parsed(answer.text);
  if (answer.status === 200 && said !== undefined) return { kind: 'planned', plans: plansIn(said) };
  return { kind: 'failed', why: `it answered ${answer.status}: ${answer.text.slice(0, 200)}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An event as the Broker's Trigger filters see it: without its data, which they do not look at. */
export function seenByBroker({ id, type, source, time, extensions, data }: Outgoing): CloudEvent {
  const attributes = { ...extensions, specversion: '1.0', id, type, source, time };
  const nothing = Buffer.alloc(0);
  return data === undefined
    ? { attributes, data: nothing }
    : { attributes, contentType: 'application/json', data: nothing };
}
