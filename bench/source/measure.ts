import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../running.ts';
import { type QuietApi, startQuietApi } from './api.ts';
import { collectionsOf } from './objects.ts';
import { bytesOfFile, memoryOf, type Programs } from './processes.ts';
import { type CountingSink, startCountingSink } from './sink.ts';

/** How a source begins: with an empty file, from the place in its file, or by comparing all objects with its file. */
export type Beginning = 'new' | 'goes on' | 'compares';

/** The memory of one source at rest. */
export interface Measured {
  readonly objects: number;
  readonly beginning: Beginning;
  /** Bytes. */
  readonly resident: number;
  readonly most: number;
  /** The bare server that was started beside it. */
  readonly bare: number;
  readonly file: number;
  /** From its start until all of its watches stood and each event was taken. */
  readonly seconds: number;
  readonly told: number;
}

/** Milliseconds of rest before memory is read: by then V8 has given back what it gives back by itself. */
export interface Pace {
  readonly restMs: number;
}

/** A source with this many objects, started three times one after the other. */
export async function measure(programs: Programs, objects: number, { restMs }: Pace): Promise<readonly Measured[]> {
  const [api, sink] = await Promise.all([startQuietApi(collectionsOf(objects)), startCountingSink()]);
  const file = join(programs.folder, `${String(objects)}-${String(Date.now())}.db`);
  const all: Measured[] = [];
  try {
    for (const beginning of ['new', 'goes on', 'compares'] as const) {
      if (beginning === 'compares') api.forget();
      all.push(await measureOne(beginning, { programs, objects, restMs, api, sink, file }));
    }
  } finally {
    api.close();
    sink.close();
  }
  return all;
}

interface Ground extends Pace {
  readonly programs: Programs;
  readonly objects: number;
  readonly api: QuietApi;
  readonly sink: CountingSink;
  readonly file: string;
}

async function measureOne(beginning: Beginning, ground: Ground): Promise<Measured> {
  const { programs, objects, restMs, api, sink, file } = ground;
  const before = { taken: sink.taken(), pages: api.pages() };
  const began = performance.now();
  const [bare, source] = await Promise.all([programs.bare(), programs.source(file, { api, sink: sink.url })]);
  try {
    await untilTold({ api, sink, source }, before.taken + (beginning === 'new' ? objects : 0));
    const seconds = (performance.now() - began) / 1000;
    await rest([bare, source], restMs);
    const hasListed = api.pages() > before.pages;
    if (hasListed !== (beginning !== 'goes on'))
      throw new Error(`the source that ${beginning} has ${hasListed ? '' : 'not '}listed the objects`);
    const { now: resident, most } = memoryOf(source.pid);
    const { now: ofBare } = memoryOf(bare.pid);
    const told = sink.taken() - before.taken;
    return { objects, beginning, resident, most, bare: ofBare, file: bytesOfFile(file), seconds, told };
  } finally {
    await Promise.all([bare.stop(), source.stop()]);
  }
}

interface Around {
  readonly api: QuietApi;
  readonly sink: CountingSink;
  readonly source: Running;
}

const longestMs = 300_000;

/** Waits until all its watches stand, it has sent this many events, and nothing more waits. */
async function untilTold({ api, sink, source }: Around, taken: number): Promise<void> {
  const end = performance.now() + longestMs;
  while (
    !(
      sink.taken() >= taken &&
      (await isReady(source)) &&
      (await figureOf(source, 'knudge_source_waiting_events')) === 0
    )
  ) {
    if (performance.now() > end)
      throw new Error(
        `the source has sent ${String(sink.taken())} of ${String(taken)}, and ${String(api.watches())} watches stand`,
      );
    await sleep(50);
  }
}

async function isReady({ port }: Running): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${String(port)}/health/readiness`)).ok;
}

async function figureOf({ port }: Running, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{\\} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Asks for health as the kubelet does. */
async function rest(servers: readonly Running[], ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(1000))
    for (const { port } of servers) await (await fetch(`http://127.0.0.1:${String(port)}/health/readiness`)).text();
}
