import { type Logger, symbols } from 'pino';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import type { Ending, Sending } from '../../cluster/exchange.ts';
import type { Resource } from '../../decide/resource.ts';
import type { Outgoing } from '../../domain/change.ts';
import { type Outside, sleep } from '../../react/outside.ts';
import { keepRuns, type Runs } from '../../react/runs.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { createDryRuns } from '../../server/dry-runs.ts';
import { answerEvent, type Reaction } from '../../server/handle-event.ts';
import { createLog } from '../../server/log.ts';
import { createMetrics } from '../../server/metrics.ts';
import type { Answer } from '../../server/respond.ts';
import type { Settings } from '../../server/settings.ts';
import type { Delivery } from './event.ts';

/** A process of functions, all of it but the HTTP server: gives the answer of one of them to an event. */
export type Instance = (stem: string, event: Delivery) => Promise<Answer>;

/** What a process has made for its functions. */
export interface Made {
  readonly config: Config;
  readonly log: Logger;
  readonly cluster: Cluster;
  readonly runs: Runs;
}

export interface InstanceParts {
  /** Of the process. */
  readonly service: string;
  readonly outside: Outside;
  readonly exchange: (sending: Sending) => Promise<Ending>;
  /** Takes an event for the Broker; if absent, the instance has no Broker. */
  readonly send?: (event: Outgoing) => Promise<void>;
  /** Takes each line of the log. */
  readonly say: (line: string) => void;
  /** Where the API server is; in a simulation nobody looks. */
  readonly server?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The controller's own variables. */
  readonly settings?: Settings;
  /** What is managed. */
  readonly resources: (config: Config) => readonly Resource[];
  /** What each function does. */
  readonly reactions: (made: Made) => ReadonlyMap<string, Reaction>;
}

/** Starts a process as it is deployed. */
export function startInstance(parts: InstanceParts): Instance {
  const { service, outside, say, env = {}, settings = {} } = parts;
  const config: Config = readConfig({ K_SERVICE: service, ...env }, settings);
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
    outside,
    resources: parts.resources(config),
    ...(parts.send && { sender: { send: parts.send } }),
  });
  const reactions = parts.reactions({ config, log, cluster, runs });
  const dryRuns = createDryRuns({ isInCluster: false, asksForTokens: false });
  const answering = { dryRuns, config, log, metrics, now: outside.elapsed, after: outside.after };
  return (stem, { headers, body }) => {
    const reaction = reactions.get(stem);
    if (reaction === undefined) throw new Error(`${stem} is not served by ${service}: deliver it to its own process`);
    return answerEvent({ headers, body: async () => body }, { dryRun: false }, { ...answering, stem, reaction });
  };
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
