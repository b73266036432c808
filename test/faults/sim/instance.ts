import { type Logger, symbols } from 'pino';
import { functions, type Stem, serviceOf } from '../../../functions/table.ts';
import { type Cluster, createCluster } from '../../../packages/controller/cluster/cluster.ts';
import type { Ending, Sending } from '../../../packages/controller/cluster/exchange.ts';
import { readRestarts } from '../../../packages/controller/cluster/restarts.ts';
import type { Outgoing } from '../../../packages/controller/domain/change.ts';
import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import { resyncLease } from '../../../packages/controller/domain/names.ts';
import type { EventContext } from '../../../packages/controller/domain/ports.ts';
import { reactToChanges } from '../../../packages/controller/react/change.ts';
import { reactToEvents } from '../../../packages/controller/react/event.ts';
import { type Outside, sleep } from '../../../packages/controller/react/outside.ts';
import { keepRuns } from '../../../packages/controller/react/runs.ts';
import { type Config, readConfig } from '../../../packages/controller/server/config.ts';
import { shareDeadline } from '../../../packages/controller/server/deadline.ts';
import { createDryRuns } from '../../../packages/controller/server/dry-runs.ts';
import { answerEvent, type Reaction } from '../../../packages/controller/server/handle-event.ts';
import { createLog } from '../../../packages/controller/server/log.ts';
import { createMetrics } from '../../../packages/controller/server/metrics.ts';
import type { Answer } from '../../../packages/controller/server/respond.ts';
import { settle } from '../../../resources/distributed-service/tunnel/settle.ts';
import { resourcesWith, type Tools } from '../../../resources/managed/resources.ts';

/** An event on the wire. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** All that no process makes itself. */
export type World = Outside & Omit<Tools, 'images'>;

export interface InstanceParts {
  /** The functions that it serves: they share their runs. */
  readonly stems: readonly Stem[];
  readonly outside: World;
  readonly exchange: (sending: Sending) => Promise<Ending>;
  /** Takes an event for the Broker; there is none if absent. */
  readonly send?: (event: Outgoing) => Promise<void>;
  /** Takes each line of the log. */
  readonly say: (line: string) => void;
  /** Where the API server is; in the simulator nobody looks. */
  readonly server?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A process of functions as it is deployed, all of it but the HTTP server: gives the answer of one of them to an event. */
export type Instance = (stem: Stem, event: Delivery) => Promise<Answer>;

export function startInstance(parts: InstanceParts): Instance {
  const { stems, outside, say, env = {} } = parts;
  const [first] = stems;
  if (first === undefined) throw new Error('a process serves a function at least');
  const config = readConfig({ K_SERVICE: serviceOf(first), ...env });
  const log = logOf(config, say);
  const metrics = createMetrics({ now: outside.elapsed });
  const cluster = createCluster({
    access: {
      server: parts.server ?? 'http://127.0.0.1',
      credentials: async () => ({ authorization: 'Bearer canary-token' }),
    },
    version: 'simulated',
    instance: 'simulated',
    timeoutMs: config.apiTimeoutSeconds * 1000,
    exchange: parts.exchange,
    sleep: (ms) => sleep(ms, outside),
    now: outside.now,
    onLostNotice: (error, notice) => log.warn({ err: error, reason: notice.reason }, 'notice lost'),
  });
  const runs = keepRuns({
    cluster,
    config,
    log,
    metrics,
    outside: settling(outside),
    resources: resourcesWith({ ...outside, images: config.images }),
    ...(parts.send && { sender: { send: parts.send } }),
  });
  const reactionOf = (stem: Stem): Reaction => {
    const row = functions[stem];
    if (row.wakes === 'question') throw new Error(`${stem} takes no events`);
    return row.wakes === 'change'
      ? reactToChanges(row, runs)
      : reactToEvents(row, contextOf(parts, { cluster, log, seconds: config.handlerDeadlineSeconds }));
  };
  const reactions = new Map(stems.map((stem) => [stem, reactionOf(stem)]));
  const dryRuns = createDryRuns({ isInCluster: false, asksForTokens: false });
  const answering = { dryRuns, config, log, metrics, now: outside.elapsed, after: outside.after };
  return (stem, { headers, body }) => {
    const reaction = reactions.get(stem);
    if (reaction === undefined) throw new Error(`${stem} is not served here`);
    return answerEvent({ headers, body: async () => body }, { dryRun: false }, { ...answering, stem, reaction });
  };
}

/** As functions/start/main.ts does it. */
function settling(outside: World): Outside {
  return { ...outside, settle: (ref, at) => settle(ref, { ...at, ask: outside.askTunnel }) };
}

const logs = new Map<string, Logger>();

/** The log of the product that ends elsewhere: making one takes longer than many an event. */
function logOf(config: Config, say: (line: string) => void): Logger {
  const { logLevel, service, revision } = config;
  const key = `${logLevel} ${service} ${revision}`;
  const known = logs.get(key) ?? createLog(config, { write: () => undefined });
  logs.set(key, known);
  return Object.create(known, { [symbols.streamSym]: { value: { write: say } } });
}

function contextOf(
  { outside, send }: InstanceParts,
  { cluster, log, seconds }: { cluster: Cluster; log: EventContext['log']; seconds: number },
): EventContext {
  const { workSeconds } = shareDeadline(seconds);
  const eventLog = { append: async () => true, appendDeadLetter: async () => undefined };
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
