import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Access } from '../controller/cluster/access.ts';
import { resyncTypes } from '../controller/domain/change.ts';
import type { CloudEvent, Deliver, Destination } from './cloud-event.ts';
import type { MeshParts } from './mesh-parts.ts';
import { awaitRound } from './round-before.ts';
import { startApiServerSource } from './sources/api-server-source.ts';
import { startOwnSource } from './sources/own-source.ts';
import { startPingSource } from './sources/ping-source.ts';
import { type Send, sendWithRetries } from './sources/send.ts';

/** The sources of the manifests; resolves when every watch stands, or has failed for the first time. */
export async function startSources(
  { spec, version, report, closers, dir }: MeshParts,
  access: Access,
  deliver: Deliver,
): Promise<void> {
  const own = spec.sources.filter(({ keepsTrack }) => keepsTrack === true);
  const [first] = own;
  if (first !== undefined) {
    const parts = { access, version, report, file: join(dir, 'source.db'), send: sendTo(first.sink, deliver) };
    closers.push((await startOwnSource(own, parts)).close);
  }
  for (const source of spec.sources.filter((one) => !own.includes(one))) {
    const running = await startApiServerSource(source, { access, version, report, send: sendTo(source.sink, deliver) });
    closers.push(running.close);
  }
  for (const ping of spec.pings) {
    closers.push(startPingSource(ping, { report, send: sendTo(ping.sink, deliver) }).close);
  }
}

function sendTo(sink: Destination, deliver: Deliver): Send {
  return async (event) => {
    const answer = await deliver(sink, event);
    return answer.kind === 'answered' ? { status: answer.status } : { status: 0, why: answer.why };
  };
}

/** How the mesh asks for its first resync. */
interface Asking {
  readonly deliver: Deliver;
  /** A cluster where somebody else's resync may be under way. */
  readonly sharedWith?: Access;
}

/** A source is silent about what exists already, so the mesh asks for a resync as an installation does. */
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
  'another one is under way in this cluster: the first of this mesh begins when that has ended, or has not been heard of for 30 s';

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
