import { functions, type Stem, serviceOf } from '../../../functions/table.ts';
import { readRestarts } from '../../../packages/controller/cluster/restarts.ts';
import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import { resyncLease } from '../../../packages/controller/domain/names.ts';
import type { EventContext } from '../../../packages/controller/domain/ports.ts';
import { reactToChanges } from '../../../packages/controller/react/change.ts';
import { reactToEvents } from '../../../packages/controller/react/event.ts';
import { type Outside, sleep } from '../../../packages/controller/react/outside.ts';
import { shareDeadline } from '../../../packages/controller/server/deadline.ts';
import type { Reaction } from '../../../packages/controller/server/handle-event.ts';
import {
  type InstanceParts as AnyInstance,
  type Instance,
  type Made,
  startInstance as startAny,
} from '../../../packages/controller/testing/sim/instance.ts';
import { settle } from '../../../resources/distributed-service/tunnel/settle.ts';
import { resourcesWith, type Tools } from '../../../resources/managed/resources.ts';
import { imagesOf, type Own, settings } from '../../../resources/managed/settings.ts';

/** All that no process makes itself. */
export type OutsideOfProcess = Outside & Omit<Tools, 'images'>;

export interface InstanceParts extends Pick<AnyInstance, 'exchange' | 'send' | 'say' | 'server' | 'env'> {
  /** The functions that it serves: they share their runs. */
  readonly stems: readonly Stem[];
  readonly outside: OutsideOfProcess;
}

/** A process of our functions as it is deployed, all of it but the HTTP server. */
export function startInstance(parts: InstanceParts): Instance {
  const { stems, outside } = parts;
  const [first] = stems;
  if (first === undefined) throw new Error('a process serves a function at least');
  return startAny({
    ...parts,
    service: serviceOf(first),
    outside: settling(outside),
    settings,
    resources: ({ own }) => resourcesWith({ ...outside, images: imagesOf(own as Own) }),
    reactions: (made) => new Map(stems.map((stem) => [stem, reactionOf(stem, parts, made)])),
  });
}

function reactionOf(stem: Stem, parts: InstanceParts, made: Made): Reaction {
  const row = functions[stem];
  if (row.wakes === 'question') throw new Error(`${stem} takes no events`);
  return row.wakes === 'change' ? reactToChanges(row, made.runs) : reactToEvents(row, contextOf(parts, made));
}

/** As packages/start/main.ts does it. */
function settling(outside: OutsideOfProcess): Outside {
  return { ...outside, settle: (ref, at) => settle(ref, { ...at, ask: outside.askTunnel }) };
}

function contextOf({ outside, send }: InstanceParts, { cluster, log, config }: Made): EventContext {
  const { workSeconds } = shareDeadline(config.handlerDeadlineSeconds);
  const eventLog = {
    append: async () => true,
    appendDeadLetter: async () => undefined,
    appendDeliveries: async () => undefined,
  };
  const lease = { namespace: 'knudge', name: resyncLease };
  // Which round is under way is no parent's, and here ticks come as fast as they can: a round that cannot be kept goes on
  // without. A real API server keeps it in test/kube, and packages/controller/test/resync/one-round.test.ts has its clock.
  const unkept = async (): Promise<never> => {
    throw new KnudgeError('unavailable', 'the simulation keeps no rounds');
  };
  return {
    pager: cluster,
    sender: { send: send ?? (() => Promise.reject(new Error('there is no Broker'))) },
    log,
    now: outside.now,
    workSeconds,
    tell: cluster.notice,
    rounds: { read: unkept, end: unkept },
    restarts: { read: () => readRestarts(cluster, lease) },
    sleep: (ms) => sleep(ms, outside),
    eventLog,
  };
}
