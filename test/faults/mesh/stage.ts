import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { serviceNames } from '../../../functions/table.ts';
import type { Access } from '../../../packages/controller/cluster/access.ts';
import { createCluster } from '../../../packages/controller/cluster/cluster.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { MeshState } from '../../../packages/mesh/state.ts';
import { until } from '../../kube/until.ts';
import type { HopLine } from '../../mesh/running-mesh.ts';
import { accessTo } from '../../mesh/way-in.ts';
import { type Wanted, wrongsOf } from './at-rest.ts';
import { type CallGate, openCallGate } from './call-gate.ts';
import { type MeshProcess, startMeshProcess } from './mesh-process.ts';
import { createPerson, type Person } from './person.ts';
import { copyProject, withEnv } from './project-copy.ts';

/** A mesh whose functions reach the API server through a gate; it may be killed and started again on the same folders. */
export interface Stage {
  readonly gate: CallGate;
  readonly person: Person;
  /** What `--dir` of the mesh is. */
  readonly dir: string;
  /** The one that runs now, or that was killed last. */
  mesh(): MeshProcess;
  /** Every mesh there was. */
  readonly meshes: readonly MeshProcess[];
  /** A new mesh on the same folders: not yet up. */
  start(): MeshProcess;
  /** Waits until it is up, and sends everybody there. */
  up(): Promise<void>;
  reader(): ReturnType<typeof createCluster>;
  /**
   * Waits until everything is as it must be; gives the milliseconds. Where the mesh that runs now has given an event up (the
   * Broker tries four times, too few for a machine that has no time for it), a resync is asked for, once: what was given up
   * is promised to nobody before the next one.
   */
  converged(wanted: Wanted, seconds: number): Promise<number>;
  /** How often a resync was needed so. */
  readonly helped: number;
  /** Asks for a resync as the installation does, and waits until it has looked at every parent. Gives what it wrote. */
  resync(wanted: Wanted): Promise<number>;
  close(): Promise<void>;
}

interface StageOptions {
  /** Of `knudge dev`. */
  readonly args?: readonly string[];
  /** What is different in the manifests of functions and sources. */
  readonly edit?: (object: KubeObject) => KubeObject;
}

export async function openStage({ args = [], edit = (object) => object }: StageOptions = {}): Promise<Stage> {
  const gate = await openCallGate(serviceNames.filter((name) => name !== 'event-log'));
  const copy = copyProject((object) => {
    const url = gate.urls.get(object.metadata.name);
    return edit(url === undefined ? object : withEnv(object, { API_SERVER_URL: url }));
  });
  const meshes: MeshProcess[] = [];
  let state: MeshState | undefined;
  let access: Access | undefined;
  let helped = 0;
  const mesh = (): MeshProcess => {
    const last = meshes.at(-1);
    if (last === undefined) throw new Error('no mesh was started');
    return last;
  };
  const reader = () => readerOf(access);
  const stage: Stage = {
    gate,
    dir: join(copy.root, 'run'),
    person: createPerson(() => access),
    mesh,
    meshes,
    start: () => {
      state = undefined;
      access = undefined;
      gate.lead(undefined);
      const data = ['--data', join(copy.root, 'data')];
      meshes.push(startMeshProcess(copy.root, ['--idle', '20', ...data, ...args]));
      return mesh();
    },
    up: async () => {
      state = await mesh().ready;
      access = accessTo(state);
      gate.lead(state.apiServer);
    },
    reader,
    converged: async (wanted, seconds) => {
      const began = performance.now();
      await isRight(reader(), wanted, seconds).catch(async (error: unknown) => {
        if (!mesh().hops.some(({ kind }) => givenUp.includes(kind))) throw error;
        helped += 1;
        await stage.resync(wanted);
        await isRight(reader(), wanted, seconds);
      });
      return performance.now() - began;
    },
    get helped() {
      return helped;
    },
    resync: (wanted) => resync(state?.broker ?? '', mesh(), wanted),
    close: async () => {
      await mesh().kill('functions');
      gate.close();
      copy.remove();
    },
  };
  return stage;
}

const givenUp = ['lost', 'dropped', 'dead-lettered'];

function isRight(reader: ReturnType<typeof createCluster>, wanted: Wanted, seconds: number): Promise<void> {
  const look = async (): Promise<true | readonly string[]> => {
    const wrongs = await wrongsOf(reader, wanted);
    return wrongs.length === 0 || wrongs;
  };
  return until('everything is as it must be', look, seconds);
}

function readerOf(access: Access | undefined) {
  if (access === undefined) throw new Error('no mesh is up');
  return createCluster({ access, version: 'test', instance: 'test', onLostNotice: () => undefined });
}

/** Milliseconds between two ticks: one that finds a round under way is ignored, also where that died less than half a minute ago. */
const tickMs = 10_000;

/** Asks for a resync until one has been through, shown by the hops of its events: one for each parent, with its id. Gives its writes. */
async function resync(broker: string, { hops }: MeshProcess, { parents }: Wanted): Promise<number> {
  const ids: string[] = [];
  let askAt = performance.now();
  // By event: one that is delivered twice has looked at one parent.
  let outcomes: ReadonlyMap<string, string> = new Map();
  await until(
    'a resync has looked at every parent',
    async () => {
      if (performance.now() >= askAt) {
        askAt = performance.now() + tickMs;
        ids.push(await tick(broker));
      }
      const found = ids.map((id) => new Map(hops.flatMap((hop) => outcomeOf(hop, id))));
      outcomes = found.find(({ size }) => size >= parents.length) ?? outcomes;
      return outcomes.size > 0 || found.map(({ size }) => `${size} of ${parents.length}`);
    },
    90,
  );
  return [...outcomes.values()].reduce(
    (sum, outcome) => sum + Number(/writes=(\d+)/.exec(outcome)?.[1] ?? Number.NaN),
    0,
  );
}

/** Gives the id of the tick that the Broker has taken. */
async function tick(broker: string): Promise<string> {
  const id = randomUUID();
  const headers = { 'ce-specversion': '1.0', 'ce-type': 'dev.knudge.resync.due', 'ce-id': id, 'ce-source': '/test' };
  await until(
    'the Broker takes the event of the resync',
    async () => {
      const { status } = await fetch(broker, { method: 'POST', headers, signal: AbortSignal.timeout(60_000) });
      return status === 202 || status;
    },
    60,
  );
  return id;
}

function outcomeOf(hop: HopLine, resync: string): readonly (readonly [string, string])[] {
  const { id = '' } = (hop['event'] ?? {}) as { id?: string };
  const isDone = hop.kind === 'delivered' && id.startsWith(`${resync}/`) && hop['status'] === 204;
  return isDone ? [[id, String((hop['headers'] as Record<string, string>)['knudge-outcome'])]] : [];
}
