import type { Stem } from '../../../functions/table.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { meddle } from '../../../packages/controller/testing/calls/meddle.ts';
import type { Fault } from '../../../packages/controller/testing/fault.ts';
import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import type { TracedAnswer } from '../../../packages/controller/testing/trace.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import { isParent } from '../oracles/accessors.ts';
import { type FaultProxy, startFaultProxy } from '../proxy/fault-proxy.ts';
import { createPast } from '../proxy/past.ts';
import type { Place, Scenario } from '../scenario.ts';
import { dueOf } from '../sim/source.ts';
import { createRest } from './controllers-rest.ts';
import { deliver } from './deliver.ts';
import { eventsOf } from './events-of.ts';
import { createInProcess } from './in-process.ts';
import { createNamespaceLog, type NamespaceLog } from './namespace-log.ts';
import type { RealCluster } from './open-real.ts';
import { viewOf } from './places.ts';
import { createRealUser } from './real-user.ts';
import { resyncOf } from './resync-event.ts';
import { createWrites, type Writes } from './writes.ts';

/** All that one run on a real API server needs. */
export interface Stage {
  readonly place: Place;
  readonly user: User;
  readonly proxy: FaultProxy;
  readonly log: NamespaceLog;
  readonly writes: Writes;
  readonly answers: readonly TracedAnswer[];
  readonly output: readonly string[];
  readonly problems: string[];
  readonly tick: () => number;
  /**
   * Delivers what happened, until controllers and events rest. Of what Knudge has written itself the event of the parent
   * stands for all, as it would where an instance is busy with that parent: its other writes give no events, its deletions do.
   */
  settle(): Promise<void>;
  /** One event for each parent, as the resync sends them, and all that follows. */
  resync(): Promise<void>;
  /** Knudge's clock: milliseconds since 1970. */
  now(): number;
  /** It goes so far ahead. */
  pass(ms: number): void;
  close(): Promise<void>;
}

/** What hands events to functions: in this process, unless a test has others. */
export interface Troupe extends Pick<ReturnType<typeof createInProcess>, 'invoke' | 'onCrash'> {
  /** The run that an instance is busy with; if absent, an instance has one run, with its number. */
  readonly runOf?: (instance: number) => number;
  readonly stop?: () => Promise<void>;
}

export interface StageParts {
  readonly cluster: RealCluster;
  readonly scenario: Scenario;
  readonly faults: readonly Fault[];
  readonly troupe?: (parts: Parameters<typeof createInProcess>[0]) => Troupe;
}

/** Sets the stage for a run in a namespace of its own. */
export async function setStage({ cluster, scenario, faults, troupe = createInProcess }: StageParts): Promise<Stage> {
  const place = await cluster.openPlace();
  const parents = scenario.parents(place);
  const output: string[] = [];
  const answers: TracedAnswer[] = [];
  const problems: string[] = [];
  let [at, ahead] = [0, 0];
  const tick = (): number => {
    at += 1;
    return at;
  };
  const past = createPast();
  const log = createNamespaceLog(tick, ({ type, object }) =>
    type === 'DELETED' ? past.sawGone(object) : past.saw(object),
  );
  for (const namespace of Object.values(place)) cluster.watch.follow(namespace, log);
  const follows = ({ kind, metadata }: Pick<KubeObject, 'kind' | 'metadata'>): boolean => {
    const { name, namespace = kind === 'Namespace' ? name : '' } = metadata;
    return kind !== 'Event' && Object.values(place).includes(namespace);
  };
  const writes = createWrites(follows);
  const user = createRealUser({
    upstream: cluster.upstream,
    wrote: (object, how) => writes.byUser(object, how, tick()),
    rest: () => settle(),
    resync: () => resync(),
    gone: async (ref) => {
      const uid = (await user.get(ref))?.metadata.uid;
      const isThere = async (): Promise<boolean> => uid !== undefined && (await user.get(ref))?.metadata.uid === uid;
      await settle();
      for (let ticks = 0; ticks <= patience && (await isThere()); ticks += 1) {
        if (ticks === patience) proxy.lift();
        await resync();
      }
      if (await isThere()) problems.push(`${ref.kind} ${ref.name} does not go`);
    },
  });
  const proxy = await startFaultProxy({
    upstream: viewOf(place, cluster.upstream),
    faults,
    meddle: (how, call) => meddle(how, call, { user, parents }),
    past,
    tick,
    onCrash: (instance) => players.onCrash(instance),
    runOf: (instance) => players.runOf?.(instance) ?? instance,
    onDone: writes.byRun,
  });
  const players: Troupe = troupe({
    urlOf: proxy.urlOf,
    controllerNamespace: place.controller,
    say: (line) => void output.push(line),
    ahead: () => ahead,
  });
  const hand = (due: Due<Stem>): Promise<void> =>
    deliver(due, { tick, answers, invoke: players.invoke, elapsed: cluster.ownTime });
  let taken = 0;
  const controllersRest = createRest({ log, writes, problems, proxy });
  const settle = async (): Promise<void> => {
    for (let rounds = 0; rounds < mostRounds; rounds += 1) {
      await controllersRest();
      const news = log.changes.slice(taken).filter((change) => isParent(change.object) || !writes.isOwn(change));
      taken = log.changes.length;
      const due = new Map(
        news
          .flatMap(eventsOf)
          .flatMap(dueOf)
          .map((one) => [`${one.stem} ${JSON.stringify(one.ref)}`, one]),
      );
      if (due.size === 0) return;
      for (const one of due.values()) await hand(one);
    }
    const last = log.changes.slice(-5).map(({ type, object }) => `${type} ${object.kind} ${object.metadata.name}`);
    problems.push(`after ${String(mostRounds)} rounds of events there are still more: ${last.join(', ')}`);
  };
  const resync = async (): Promise<void> => {
    for (const parent of await parentsThere()) for (const due of resyncOf(parent)) await hand(due);
    await settle();
  };
  const parentsThere = async (): Promise<readonly KubeObject[]> =>
    (await Promise.all(parents.map((ref) => user.get(ref)))).filter((parent) => parent !== undefined);
  return {
    place,
    user,
    proxy,
    log,
    writes,
    answers,
    output,
    problems,
    tick,
    settle,
    resync,
    now: () => Date.now() + ahead,
    pass: (ms) => {
      ahead += ms;
    },
    close: async () => {
      for (const namespace of Object.values(place)) cluster.watch.unfollow(namespace);
      await players.stop?.();
      problems.push(...proxy.problems);
      await proxy.close();
    },
  };
}

/** This many resyncs a person waits for something to go; then the cluster is mended, and it must. */
const patience = 4;
/** More than the longest scenario has. */
const mostRounds = 60;
