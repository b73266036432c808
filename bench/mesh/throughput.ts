import { load } from '../load.ts';
import { bytesOf } from '../request.ts';
import { byWriters, type Kube } from './kube.ts';
import { names, nobodysPod, paths } from './objects.ts';
import { type HopLine, isDelivered, type RunningMesh, untilHops } from './running-mesh.ts';

/** Microseconds of one event. */
export interface Throughput {
  /** One request deletes all Pods: then the time is that of source, Broker, Trigger and function. */
  readonly deleted: number;
  /** While 16 writers create the Pods. */
  readonly created: number;
  /** Straight to the Broker, 16 at a time. */
  readonly posted: number;
  /** The same to a bare server: one at a time, and 16. */
  readonly bareOne: number;
  readonly bareMany: number;
}

export interface ThroughputParts {
  readonly mesh: RunningMesh;
  readonly kube: Kube;
  /** The port of the bare server. */
  readonly barePort: number;
  readonly events: number;
}

const stem = 'pod-changed';
const inFlight = 16;
const nothing = 'ignored; reads=0; writes=0';

/** Each event counts once, when its function has answered 2xx; throws if one is missing or was not ignored. */
export async function measureThroughput({ mesh, kube, barePort, events }: ThroughputParts): Promise<Throughput> {
  const all = names('pod', events);
  const added = untilAll(mesh, all, 'add');
  let began = performance.now();
  await byWriters(all, inFlight, (name) => kube.call({ method: 'POST', path: paths.pods, body: nobodysPod(name) }));
  const created = ((await added) - began) / events;
  const sample = await kube.call({ method: 'GET', path: `${paths.pods}/${all[0] ?? ''}` });

  const gone = untilAll(mesh, all, 'delete');
  began = performance.now();
  const selected = `${paths.pods}?labelSelector=${encodeURIComponent('knudge.dev/owner-uid=nobody')}`;
  await kube.call({ method: 'DELETE', path: selected, body: { gracePeriodSeconds: 0 } });
  const deleted = ((await gone) - began) / events;

  const body = Buffer.from(JSON.stringify(sample));
  const { port, pathname } = new URL(mesh.state.broker);
  const requests = Array.from({ length: inFlight }, (_, index) => bytesOf(headersOf(index), body, pathname));
  const answered = untilHops(mesh, events, (hop) => isDelivered(hop, stem));
  began = performance.now();
  await load({ port: Number(port), requests, total: events, expected: ' 202 ' });
  const posted = ((await answered) - began) / events;

  const bare = async (atATime: number): Promise<number> => {
    const start = performance.now();
    await load({ port: barePort, requests: requests.slice(0, atATime), total: events, expected: ' 204 ' });
    return (performance.now() - start) / events;
  };
  const [bareOne, bareMany] = [await bare(1), await bare(inFlight)];
  const us = { deleted, created, posted, bareOne, bareMany };
  return Object.fromEntries(Object.entries(us).map(([name, ms]) => [name, ms * 1000])) as unknown as Throughput;
}

/** The time when the function got the event of the last of these Pods. */
function untilAll(mesh: RunningMesh, all: readonly string[], verb: string): Promise<number> {
  const left = new Set(all);
  const isWanted = (hop: HopLine): boolean => {
    const { type = '', name = '' } = hop.event ?? {};
    if (!isDelivered(hop, stem) || type !== `dev.knative.apiserver.resource.${verb}` || !left.delete(name))
      return false;
    const outcome = hop.headers?.['knudge-outcome'];
    if (outcome === nothing) return true;
    throw new Error(`the event of ${name}, which concerns no parent: ${String(outcome)}`);
  };
  return untilHops(mesh, all.length, isWanted);
}

function headersOf(index: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'ce-specversion': '1.0',
    'ce-id': `bench-${String(index)}`,
    'ce-type': 'dev.knative.apiserver.resource.update',
    'ce-source': '/bench',
    'ce-kind': 'Pod',
    'ce-apiversion': 'v1',
    'ce-name': 'pod-0',
    'ce-namespace': 'bench',
  };
}
