import type { EventLog } from '../packages/controller/domain/event-log.ts';
import { listEvents } from '../packages/event-log/api/routes.ts';
import { readArguments } from './arguments.ts';
import { type Contestant, plainFile, postgres, sqlite } from './event-log/contestants.ts';
import { eventBytes, eventOf } from './event-log/events.ts';
import { type Row, report } from './report.ts';
import { median, pairedRatio, shuffled } from './statistics.ts';

/** Events at a time: one, and as many as a burst has. */
const widths = [1, 64] as const;

/** Milliseconds that the first page of any query may take. */
const longestPage = 200;

/** Every filter alone and together, with matches and without, where a store searches longest. */
const pages: readonly (readonly [what: string, url: string])[] = [
  ['list', '/events'],
  ['by kind', '/events?kind=Pod'],
  ['by a kind that there is not', '/events?kind=None'],
  ['by namespace', '/events?namespace=ns-1'],
  ['by a namespace that there is not', '/events?namespace=none'],
  ['by name', '/events?name=pod-1500'],
  ['by a name that there is not', '/events?name=none'],
  ['by kind, namespace and name', '/events?kind=Pod&namespace=ns-1&name=pod-1500'],
  ['by type', '/events?type=dev.knative.apiserver.resource.add'],
  ['by a type that there is not', '/events?type=none'],
  ['by type, a hundred thousand back', '/events?type=dev.knative.apiserver.resource.add&before=2000'],
  ['by id', '/events?id=bench-1500'],
  ['by an id that there is not', '/events?id=none'],
  ['since', '/events?since=2020-01-01T00:00:00Z'],
  ['since, and there is none', '/events?since=2040-01-01T00:00:00Z'],
  ['until', '/events?until=2040-01-01T00:00:00Z'],
  ['until, and there is none', '/events?until=2020-01-01T00:00:00Z'],
  ['since and until', '/events?since=2020-01-01T00:00:00Z&until=2040-01-01T00:00:00Z'],
  ['export, 1000 lines', '/events?limit=1000&format=ndjson'],
  ['export of a kind, 1000 lines', '/events?kind=Pod&limit=1000&format=ndjson'],
];

const args = readArguments(process.argv.slice(2), 5);
/** Numbers beyond those of the stored events. */
let numbers = 1_000_000;
const stored = args.smoke ? 2000 : 100_000;
const all = [await plainFile(), await sqlite(), await postgres()].filter((one) => one !== undefined);
try {
  const rates = await appendRates(all);
  const rows: Row[] = [];
  for (const one of all) {
    await fill(one);
    rows.push(...widths.map((width) => rateRow(one, width, rates)), await sizeRow(one));
    if (one.log !== undefined) rows.push(...(await pageRows(one.name, one.log)));
  }
  report(`The event log: ${String(stored)} events of ${String(eventBytes)} bytes`, rows, args);
} finally {
  for (const one of all) await one.close();
}

type Rates = ReadonlyMap<string, readonly number[]>;

function keyOf({ name }: Contestant, width: number): string {
  return `${name}, ${width === 1 ? 'one' : String(width)} at a time`;
}

/** Events a second, by contestant and width, round by round. */
async function appendRates(contestants: readonly Contestant[]): Promise<Rates> {
  const rates = new Map<string, number[]>();
  for (let round = 0; round < args.rounds; round += 1) {
    for (const width of widths) {
      for (const one of shuffled(contestants)) {
        const key = keyOf(one, width);
        const values = rates.get(key) ?? [];
        values.push(await rateOf(one, width, args.smoke ? 50 : 300 * Math.sqrt(width)));
        rates.set(key, values);
      }
    }
  }
  return rates;
}

async function rateOf({ append }: Contestant, width: number, events: number): Promise<number> {
  let left = events;
  const began = performance.now();
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      numbers += 1;
      await append(eventOf(numbers));
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return (events / (performance.now() - began)) * 1000;
}

async function fill({ append }: Contestant): Promise<void> {
  for (let first = 0; first < stored; first += 1000) {
    await Promise.all(Array.from({ length: 1000 }, (_, n) => append(eventOf(first + n))));
  }
}

function rateRow(one: Contestant, width: number, rates: Rates): Row {
  const own = rates.get(keyOf(one, width)) ?? [];
  const plain = rates.get(keyOf(all[0] ?? one, width)) ?? [];
  return { name: keyOf(one, width), figures: { 'per second': median(own), '× file': pairedRatio(own, plain) } };
}

async function sizeRow(one: Contestant): Promise<Row> {
  const [own, plain] = [await one.size(), (await all[0]?.size()) ?? Number.NaN];
  return { name: `${one.name}, on the disk`, figures: { MB: own / 1e6, '× file': own / plain } };
}

/** First pages without a server, and one of the deepest. With fewer than a hundred values the 99th percentile is the worst. */
async function pageRows(name: string, log: EventLog): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const samples = args.smoke ? 3 : Math.max(40, args.rounds);
  for (const [what, url] of pages) {
    const times: number[] = [];
    for (let sample = 0; sample < samples; sample += 1) times.push(await timeOf(log, url));
    const sorted = times.toSorted((one, other) => one - other);
    const value = sorted[Math.min(samples - 1, Math.floor(samples * 0.99))] ?? Number.NaN;
    const figures = { 'ms, median': median(times), 'ms, p99': value, 'ms, worst': sorted.at(-1) ?? Number.NaN };
    rows.push({ name: `${name}: ${what}`, figures, goal: { value, most: longestPage, tolerance: 0.1 } });
  }
  return rows;
}

async function timeOf(log: EventLog, url: string): Promise<number> {
  const [path = '', query = ''] = url.split('?');
  const began = performance.now();
  await listEvents(
    {
      method: 'GET',
      path,
      query: new URLSearchParams(query),
      accept: '',
      contentType: '',
      authorization: '',
      params: {},
      headers: {},
      isLocal: true,
      body: async () => Buffer.alloc(0),
    },
    { log, send: async () => undefined },
  );
  return performance.now() - began;
}
