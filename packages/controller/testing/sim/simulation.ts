import type { KubeObject, ObjectRef } from '../../domain/kube-object.ts';
import { createMatcher, type Matcher } from '../calls/match-faults.ts';
import type { Fault } from '../fault.ts';
import type { Trace } from '../trace.ts';
import type { Rival } from '../user.ts';
import { type BrokerParts, createBroker, type SimulatedBroker } from './broker.ts';
import { type CarryParts, carry } from './carry.ts';
import { createClock, type VirtualClock } from './clock.ts';
import { type ClusterParts, type SimulatedCluster, startSimulatedCluster } from './cluster.ts';
import type { Functions } from './functions.ts';
import { createProcesses, type Processes } from './processes.ts';
import { type Chance, createChance } from './random.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { Due, Run } from './run.ts';
import type { Snapshot } from './snapshot.ts';
import { tracedEventOf } from './traced-event.ts';
import { type Ask, askAsUser, createUser, patchAsRival } from './user.ts';

export interface SimulationParts extends Pick<BrokerParts, 'fate'> {
  readonly from: Snapshot;
  readonly seed: number;
  readonly parents: readonly ObjectRef[];
  readonly faults?: readonly Fault[];
  readonly functions: Functions;
  /**
   * Of events for one function about one object that wait, only the last is delivered: they are all the same question.
   * Storms deliver every one.
   */
  readonly coalesce?: boolean;
  readonly rival?: Rival | undefined;
}

/** A cluster, the events of its changes and the functions, in which nothing moves by itself. */
export interface Simulation extends Pick<SimulatedBroker, 'queue' | 'send'>, Pick<Processes, 'kill'> {
  readonly clock: VirtualClock;
  readonly cluster: SimulatedCluster;
  readonly recorder: Recorder;
  readonly gate: Matcher;
  readonly chance: Chance;
  readonly ask: Ask;
  /** Invocations that are not over. */
  readonly runs: readonly Run[];
  /** Hands an event to a function; stands at its first calls. `apart`: to a process of its own. */
  start(due: Due, apart?: boolean): Promise<Run>;
  /** Carries the oldest call of a run out; false where it has none. */
  step(run: Run): Promise<boolean>;
  /** Lets everybody who waits for nothing go on. */
  breathe(): Promise<void>;
  /** An invocation that has been answered, because its time was up, and still makes calls. */
  late(): Run | undefined;
  /** Takes runs that are over off the list, and hands their answers to the Broker. */
  collect(): void;
  trace(resting: Trace['objects']): Trace;
  close(): void;
}

/** So soon a rival answers. */
const rivalMs = 1000;

/** Starts one from a snapshot. */
export function startSimulation({ from, seed, parents, functions, faults = [], ...rest }: SimulationParts): Simulation {
  const clock = createClock(from.now);
  const { now, elapsed, after } = clock;
  const chance = createChance(seed);
  const recorder = createRecorder();
  const cluster = clusterWith({ from, clock, chance, recorder, rival: rest.rival });
  const gate = createMatcher(faults);
  gate.arm();
  const askApi = askAsUser(cluster);
  const ask: Ask = (...request) => {
    recorder.by = { who: 'user' };
    return askApi(...request);
  };
  const broker = createBroker({ clock, dueOf: functions.dueOf, fate: rest.fate, coalesce: rest.coalesce });
  const { queue, send } = broker;
  const outside = { now, elapsed, after, random: chance.next };
  const processes = createProcesses({ functions, outside, chance, send, say: recorder.say });
  const { kill } = processes;
  const runTasks = async (): Promise<void> => {
    while (cluster.tasks() > 0) cluster.runTask();
  };
  const user = createUser({ ask, rest: runTasks, resync: runTasks, lift: gate.lift });
  const meddler = { user, parents, pause: runTasks };
  const carrying: CarryParts = { cluster, clock, recorder, meddler, kill: ({ run }) => kill(run.process) };
  const stopSources = functions.watch({ api: cluster.api, now, newId: numbered('event'), send });
  const runs: Run[] = [];
  const past: Run[] = [];

  async function start(due: Due, apart = false): Promise<Run> {
    const process = apart ? processes.apart(due.stem) : processes.of(due.stem);
    const began = recorder.tick();
    const run: Run = { id: began, due, process, began, beganMs: elapsed(), calls: [], answer: undefined };
    runs.push(run);
    void processes.begin(run).then((answer) => {
      if (!process.dead) run.answer = answer;
    });
    await breathe();
    return run;
  }

  async function step(run: Run): Promise<boolean> {
    const call = run.calls.shift();
    if (call === undefined) return false;
    if (!run.process.dead) await carry(call, gate.next(call.described)[0], carrying);
    await breathe();
    return true;
  }

  function collect(): void {
    for (const run of runs.filter(isOver)) {
      runs.splice(runs.indexOf(run), 1);
      past.push(run);
      recordAnswer(run, recorder, elapsed());
      broker.answered(run.due, run.answer);
    }
  }

  return {
    ...{ clock, cluster, recorder, gate, chance, ask, queue, send, runs, start, step, breathe, collect, kill },
    late: () => past.find(({ calls, process }) => calls.length > 0 && !process.dead),
    trace: (resting) => recorder.trace({ resting, objects: cluster.api.client.all(), parents, now: now() }),
    close: () => {
      stopSources();
      cluster.close();
    },
  };
}

/** A cluster whose changes are recorded, and answered by the rival if there is one. */
function clusterWith({
  from,
  clock,
  chance,
  recorder,
  rival,
}: Omit<ClusterParts, 'onChange'> & {
  readonly recorder: Recorder;
  readonly rival: Rival | undefined;
}): SimulatedCluster {
  const oppose = (object: KubeObject, patch: object): void => {
    const before = recorder.by;
    recorder.by = { who: 'cluster' };
    patchAsRival(cluster, object, patch);
    recorder.by = before;
  };
  const cluster = startSimulatedCluster({
    ...{ from, clock, chance },
    onChange: ({ type, object, before }) => {
      recorder.change({ type, object, ms: clock.elapsed(), ...(before && { before }) });
      const patch = rival?.({ type, object, ms: clock.elapsed() });
      if (patch !== undefined) clock.after(rivalMs, () => oppose(object, patch));
    },
  });
  return cluster;
}

/** Whether it was answered, or never will be. */
export function isOver({ answer, process }: Run): boolean {
  return answer !== undefined || process.dead;
}

function recordAnswer({ id, due, began, beganMs, answer }: Run, recorder: Recorder, ms: number): void {
  const { status, headers, body } = answer ?? { status: 0, headers: {}, body: '' };
  const { stem } = due;
  recorder.answer({ run: id, began, stem, event: tracedEventOf(due), status, headers, body, ms: ms - beganMs });
}

function numbered(word: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${word}-${count}`;
  };
}

/** All that waits for nothing but each other goes on: promises settle before the event loop turns. */
function breathe(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
