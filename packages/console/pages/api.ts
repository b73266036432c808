// Every call of the console: all of them go to the page's own origin, which never wakes a function.
import {
  type ChainAnswer,
  chainOf,
  deliveryOf,
  type History,
  type HistoryAnswer,
  historyOf,
  type PlanAnswer,
  planOf,
} from '../model/answers.ts';
import { type Filter, serverWords } from '../model/filters.ts';
import { hasObject } from '../model/objects.ts';
import type {
  Chain,
  DeadLetter,
  Delivery,
  EventMap,
  Examined,
  FunctionState,
  Gap,
  KubernetesEvent,
  May,
  PlannedEvent,
  RecordedEvent,
  Reported,
} from '../model/types.ts';

/** A refusal, in the words of the event log. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
  /** What is served here cannot answer this, and says in its message why not. */
  get isMissing(): boolean {
    return this.status === 404 || this.status === 405 || /nothing at this path/.test(this.message);
  }
}

export interface EventsPage {
  readonly events: readonly RecordedEvent[];
  readonly next?: string;
  readonly total?: number;
}

/** An object; its namespace is empty where it has none. */
export interface Named {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Which events are sent again: the fields of `POST /replay`. */
export interface Selection {
  readonly [field: string]: string | number | boolean | object | undefined;
}

export interface Replayed {
  readonly sent: number;
  readonly failed: number;
  readonly failures?: readonly { readonly id?: string; readonly message?: string }[];
  readonly shortened?: number;
  readonly next?: object;
}

export const api = {
  /** A cookie for the token of the address; the page itself forgets the token. */
  session: (token: string) => post<unknown>('/console/session', { token }),
  events: (filter: Filter, limit: number) => get<EventsPage>(`/events?${queryOf(filter, serverWords, limit)}`),
  more: (next: string) => get<EventsPage>(next),
  after: (seq: number) => get<EventsPage>(`/events?after=${seq}&order=oldest-first&limit=500`),
  event: (key: string) => get<RecordedEvent>(`/events/${encodeURIComponent(key)}`),
  /** The last event before this one that carries the same object: one that asks after it names it alone. */
  before: async ({ seq, kind, namespace, name }: RecordedEvent): Promise<RecordedEvent | undefined> => {
    const about = new URLSearchParams({ kind: kind ?? '', name: name ?? '', before: String(seq), limit: '20' });
    if (namespace !== undefined) about.set('namespace', namespace);
    return (await get<EventsPage>(`/events?${about}`)).events.find(hasObject);
  },
  chain: async (seq: number): Promise<Chain> => chainOf(await get<ChainAnswer>(`/events/${seq}/chain`)),
  gaps: async () => (await get<{ readonly gaps: readonly Gap[] }>('/gaps?limit=1000')).gaps,
  deliveriesOf: (seq: number) => deliveriesIn(`/deliveries?event=${seq}&order=oldest-first`),
  /** Those that began between two times, in milliseconds since 1970. */
  deliveriesBetween: (from: number, to: number) => {
    const [since = '', until = ''] = [from, to].map((ms) => new Date(ms).toISOString());
    return deliveriesIn(`/deliveries?${new URLSearchParams({ since, until, order: 'oldest-first', limit: '1000' })}`);
  },
  lastDeliveries: (limit: number) => deliveriesIn(`/deliveries?limit=${limit}`),
  deadLetters: async () =>
    (await get<{ readonly deadLetters: readonly DeadLetter[] }>('/dead-letters?limit=1000')).deadLetters,
  retry: (seq: number, note?: string) => post<DeadLetter>(`/dead-letters/${seq}/retry`, note ? { note } : {}),
  discard: (seq: number, note: string) => post<DeadLetter>(`/dead-letters/${seq}/discard`, { note }),
  replay: (selection: Selection) => post<Replayed>('/replay', selection),
  dryRun: (selection: Selection) => post<EventsPage>('/replay', { ...selection, dryRun: true }),
  count: async (filter: Filter) =>
    (await get<EventsPage>(`/events?${queryOf(filter, serverWords, 1)}&total=true`)).total ?? 0,
  plan: async (selection: Selection): Promise<readonly PlannedEvent[]> =>
    planOf(await post<PlanAnswer>('/plan', selection)),
  history: async (object: Named, before?: number): Promise<History> => {
    const query = before === undefined ? '' : `?before=${before}`;
    return historyOf(await get<HistoryAnswer>(`/objects/${placeOf(object)}/history${query}`));
  },
  kubernetesEvents: async ({ kind, namespace, name }: Named): Promise<readonly KubernetesEvent[]> =>
    (
      await get<{ readonly events: readonly KubernetesEvent[] }>(
        `/objects/${placeOf({ kind, namespace, name })}/events`,
      )
    ).events,
  map: () => get<EventMap>('/map'),
  doctor: () => get<Examined>('/doctor'),
  functions: async () => (await get<{ readonly functions: readonly FunctionState[] }>('/functions')).functions,
  may: async () => (await get<{ readonly may: May }>('/may')).may,
  /** The stream of what comes, from behind a place such as `129-7`; it ends by itself now and then, and when the connection is lost. */
  stream: async (place: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => {
    const headers = { accept: 'text/event-stream', ...(place !== '' && { 'last-event-id': place }) };
    const response = await fetch(addressOf('/stream'), { headers, credentials: 'same-origin' });
    if (!response.ok || response.body === null) throw await refusalOf(response);
    return response.body;
  },
} as const;

function placeOf({ kind, namespace, name }: Named): string {
  return [kind, ...(namespace === '' ? [] : [namespace]), name].map(encodeURIComponent).join('/');
}

function queryOf(filter: Filter, words: readonly (keyof Filter)[], limit: number): string {
  const given = words.map((word): [string, string] => [word, filter[word] ?? '']).filter(([, value]) => value !== '');
  return new URLSearchParams([...given, ['limit', String(limit)]]).toString();
}

function get<Value>(path: string): Promise<Value> {
  return ask<Value>(path, {});
}

function post<Value>(path: string, body: object): Promise<Value> {
  return ask<Value>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The API is below the address of the pages. */
function addressOf(path: string): string {
  return path.startsWith('/console/') ? path : `/console/api${path}`;
}

async function deliveriesIn(path: string): Promise<readonly Delivery[]> {
  return (await get<{ readonly deliveries: readonly Reported[] }>(path)).deliveries.map(deliveryOf);
}

async function ask<Value>(path: string, init: RequestInit): Promise<Value> {
  const response = await fetch(addressOf(path), { ...init, credentials: 'same-origin' }).catch((error: unknown) => {
    throw new ApiError(0, 'unreachable', `The event log does not answer (${String(error)}). Does it still run?`);
  });
  if (!response.ok) throw await refusalOf(response);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Value;
}

async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { code = '', message = text } = JSON.parse(text) as { readonly code?: string; readonly message?: string };
    return new ApiError(response.status, code, message);
  } catch {
    return new ApiError(response.status, '', text || `the event log answered ${response.status}`);
  }
}
