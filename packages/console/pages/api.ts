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
import type { Replayed, Selection } from '../model/replaying.ts';
import type {
  Chain,
  Compared,
  DeadLetter,
  DeadLetterState,
  Delivery,
  EventMap,
  Examined,
  FunctionState,
  Gap,
  KubernetesEvent,
  May,
  ObjectNow,
  Plan,
  RecordedEvent,
  Reported,
} from '../model/types.ts';
import { addressOf, get, post, refusalOf } from './request.ts';

export interface EventsPage {
  readonly events: readonly RecordedEvent[];
  readonly next?: string;
}

/** An object; its namespace is empty where it has none. */
export interface Named {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export const api = {
  /** A cookie for the token of the address; the page itself forgets the token. */
  session: (token: string) => post<unknown>('/console/session', { token }),
  events: (filter: Filter, limit: number) => get<EventsPage>(`/events?${queryOf(filter, serverWords, limit)}`),
  more: (next: string) => get<EventsPage>(next),
  /** Those of a filter that are newer than a place. */
  newer: (filter: Filter, seq: number, limit: number) =>
    get<EventsPage>(`/events?${queryOf(filter, serverWords, limit)}&after=${seq}`),
  after: (seq: number) => get<EventsPage>(`/events?after=${seq}&order=oldest-first&limit=500`),
  event: (key: string) => get<RecordedEvent>(`/events/${encodeURIComponent(key)}`),
  /** The last event before this one that carries the same object: one that asks after it names it alone. */
  before: async ({ seq, kind, namespace, name }: RecordedEvent): Promise<RecordedEvent | undefined> => {
    const about = new URLSearchParams({ kind: kind ?? '', name: name ?? '', before: String(seq), limit: '20' });
    if (namespace !== undefined) about.set('namespace', namespace);
    return (await get<EventsPage>(`/events?${about}`)).events.find(hasObject);
  },
  /** The newest events about what an object owns. */
  owned: (uid: string) => get<EventsPage>(`/events?${new URLSearchParams({ owner: uid, limit: '1000' })}`),
  chain: async (seq: number): Promise<Chain> => chainOf(await get<ChainAnswer>(`/events/${seq}/chain`)),
  gaps: async () => (await get<{ readonly gaps: readonly Gap[] }>('/gaps?limit=1000')).gaps,
  deliveriesOf: (seq: number) => deliveriesIn(`/deliveries?event=${seq}&order=oldest-first`),
  /** Those that began between two times, in milliseconds since 1970: the newest of them, where there are too many. */
  deliveriesBetween: (from: number, to: number) => {
    const [since = '', until = ''] = [from, to].map((ms) => new Date(ms).toISOString());
    return newestDeliveries(`/deliveries?${new URLSearchParams({ since, until, limit: '1000' })}`);
  },
  lastDeliveries: (limit: number) => deliveriesIn(`/deliveries?limit=${limit}`),
  /** Those in a state, else all: the newest of them, where there are too many. */
  deadLetters: async (state?: DeadLetterState) => {
    const path = `/dead-letters?limit=1000${state === undefined ? '' : `&state=${state}`}`;
    const { items, isCut } = await pagesOf<DeadLetter>(path, 'deadLetters');
    return { letters: items, isCut };
  },
  /** Those of one event: an id is unique only for its source. */
  lettersOf: async ({ id, source }: RecordedEvent): Promise<readonly DeadLetter[]> => {
    const about = new URLSearchParams({ id, order: 'oldest-first' });
    const { deadLetters } = await get<{ readonly deadLetters: readonly DeadLetter[] }>(`/dead-letters?${about}`);
    return deadLetters.filter((letter) => letter.source === source);
  },
  retry: (seq: number, note?: string) => post<DeadLetter>(`/dead-letters/${seq}/retry`, note ? { note } : {}),
  discard: (seq: number, note: string) => post<DeadLetter>(`/dead-letters/${seq}/discard`, { note }),
  replay: (selection: Selection) => post<Replayed>('/replay', selection),
  dryRun: (selection: Selection) => post<EventsPage>('/replay', { ...selection, dryRun: true }),
  plan: async (selection: Selection): Promise<Plan> => planOf(await post<PlanAnswer>('/plan', selection)),
  /** What the function at another address would write for an event, beside what this version would. */
  shadow: (event: number, name: string, url: string) => post<Compared>('/shadow', { event, function: name, url }),
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
  now: (object: Named) => get<ObjectNow>(`/objects/${placeOf(object)}/now`),
  map: () => get<EventMap>('/map'),
  doctor: () => get<Examined>('/doctor'),
  functions: async () => (await get<{ readonly functions: readonly FunctionState[] }>('/functions')).functions,
  /** The words of a filter as the command line reads them: `msg` is Message, `15m` a time. */
  words: (filter: Filter) => post<Filter>('/words', filter),
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

async function deliveriesIn(path: string): Promise<readonly Delivery[]> {
  return (await get<{ readonly deliveries: readonly Reported[] }>(path)).deliveries.map(deliveryOf);
}

/** The most pages of a list that are read for one question. */
const mostPages = 5;

/** The items of a list, page by page, and whether there are more. */
async function pagesOf<Item>(
  path: string,
  name: string,
): Promise<{ readonly items: readonly Item[]; readonly isCut: boolean }> {
  const items: Item[] = [];
  let next: string | undefined = path;
  for (let page = 0; page < mostPages && next !== undefined; page += 1) {
    const answer: Readonly<Record<string, unknown>> = await get(next);
    items.push(...(answer[name] as readonly Item[]));
    next = answer['next'] as string | undefined;
  }
  return { items, isCut: next !== undefined };
}

async function newestDeliveries(path: string) {
  const { items, isCut } = await pagesOf<Reported>(path, 'deliveries');
  return { deliveries: items.map(deliveryOf), isCut };
}
