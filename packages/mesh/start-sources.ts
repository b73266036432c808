import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Access } from '../controller/cluster/access.ts';
import { resyncTypes } from '../controller/domain/change.ts';
import type { CloudEvent, Deliver, Destination } from './cloud-event.ts';
import type { MeshParts } from './mesh-parts.ts';
import type { MeshSpec } from './mesh-spec.ts';
import { awaitRound } from './round-before.ts';
import { type Running, startApiServerSource } from './sources/api-server-source.ts';
import { startOwnSource } from './sources/own-source.ts';
import { startPingSource } from './sources/ping-source.ts';
import { type Send, sendWithRetries } from './sources/send.ts';

/** The sources of the mesh. */
export interface Sources {
  /** Starts what is new among these, and ends what is not among them or has changed. */
  follow(wanted: Pick<MeshSpec, 'sources' | 'pings'>): Promise<void>;
}

interface Wanted {
  /** All that it is started from: if it changes, the source begins anew. */
  readonly key: string;
  readonly start: () => Promise<Running> | Running;
}

/** Starts the sources of the manifests; resolves when every watch stands, or has failed for the first time. */
export async function startSources(parts: MeshParts, access: Access, deliver: Deliver): Promise<Sources> {
  const running = new Map<string, { readonly key: string; readonly close: () => Promise<void> | void }>();
  let queue = Promise.resolve();
  const settle = async (wanted: ReadonlyMap<string, Wanted>): Promise<void> => {
    for (const [name, { key, close }] of running) {
      if (wanted.get(name)?.key === key) continue;
      running.delete(name);
      await close();
    }
    for (const [name, { key, start }] of wanted) {
      if (!running.has(name)) running.set(name, { key, close: (await start()).close });
    }
  };
  const follow: Sources['follow'] = (wanted) => {
    queue = queue.then(() => settle(wantedOf(wanted, { parts, access, deliver })));
    return queue;
  };
  parts.closers.push(async () => {
    await queue.catch(() => undefined);
    await settle(new Map());
  });
  await follow(parts.spec);
  return { follow };
}

interface Surroundings {
  readonly parts: MeshParts;
  readonly access: Access;
  readonly deliver: Deliver;
}

function wantedOf(
  { sources, pings }: Pick<MeshSpec, 'sources' | 'pings'>,
  { parts: { version, report, root, dir }, access, deliver }: Surroundings,
): ReadonlyMap<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const own = sources.filter(({ keepsTrack }) => keepsTrack === true);
  const [first] = own;
  if (first !== undefined) {
    const file = join(dir, 'source.db');
    const start = () => startOwnSource(own, { access, version, root, report, file, send: sendTo(first.sink, deliver) });
    wanted.set('own', { key: JSON.stringify(own), start });
  }
  for (const source of sources.filter((one) => !own.includes(one))) {
    const start = () => startApiServerSource(source, { access, version, report, send: sendTo(source.sink, deliver) });
    wanted.set(`source ${source.namespace}/${source.name}`, { key: JSON.stringify(source), start });
  }
  for (const ping of pings) {
    const start = () => startPingSource(ping, { report, send: sendTo(ping.sink, deliver) });
    wanted.set(`ping ${ping.namespace}/${ping.name}`, { key: JSON.stringify(ping), start });
  }
  return wanted;
}

function sendTo(sink: Destination, deliver: Deliver): Send {
  return async (event) => {
    const answer = await deliver(sink, event);
    if (answer.kind === 'failed') return { status: 0, why: answer.why };
    const { status, isTakenBySome } = answer;
    return { status, ...(isTakenBySome && { isTakenBySome }) };
  };
}

/** How the mesh asks for its first resync. */
interface Asking {
  readonly deliver: Deliver;
  /** Set for a cluster in which another resync may be under way. */
  readonly sharedWith?: Access;
}

/** A source is silent about existing objects, so the mesh asks for a resync as an installation does. */
export function announceExisting({ spec, version, report, closers }: MeshParts, asking: Asking): void {
  const { deliver, sharedWith } = asking;
  const [broker] = spec.brokers;
  if (broker === undefined) return;
  const stop = new AbortController();
  const { signal } = stop;
  const send = sendTo({ kind: 'broker', namespace: broker.namespace, name: broker.name }, deliver);
  const onWait = () => report({ kind: 'warning', about: 'resync', text: waits });
  const ask = async (): Promise<void> => {
    if (sharedWith) await awaitRound(spec, { access: sharedWith, version }, { signal, onWait });
    if (!signal.aborted) await sendWithRetries(resyncAsked(), { send, report, source: 'mesh', signal });
  };
  closers.push(() => stop.abort());
  void ask();
}

const waits =
  'another one is under way in this cluster: the first of this mesh begins when that one has ended, or has made no progress for 30 s';

function resyncAsked(): CloudEvent {
  const attributes = {
    specversion: '1.0',
    id: randomUUID(),
    type: resyncTypes.due,
    source: '/knudge/mesh',
    time: new Date().toISOString(),
  };
  return { attributes, data: Buffer.alloc(0) };
}
