import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { hostname } from 'node:os';
import { createSender } from '../controller/broker/send.ts';
import type { Called } from '../controller/cluster/call.ts';
import { type Cluster, createCluster } from '../controller/cluster/cluster.ts';
import { findAccess, foundIn } from '../controller/cluster/find-access.ts';
import { readRestarts, roundsIn } from '../controller/cluster/restarts.ts';
import { readTokenKeys } from '../controller/cluster/token-keys.ts';
import { createTransport, type TransportOptions } from '../controller/cluster/transport.ts';
import { KnudgeError } from '../controller/domain/errors.ts';
import { resyncLease } from '../controller/domain/names.ts';
import type { EventContext } from '../controller/domain/ports.ts';
import type { Controller } from '../controller/functions/define-controller.ts';
import { type ChangeFunction, reactToChanges } from '../controller/react/change.ts';
import { type EventFunction, reactToEvents } from '../controller/react/event.ts';
import { type Outside, sleep } from '../controller/react/outside.ts';
import { type QuestionFunction, reactToQuestions } from '../controller/react/question.ts';
import { keepRuns } from '../controller/react/runs.ts';
import { createSenderCheck, type SenderCheck } from '../controller/server/check-sender.ts';
import { type Config, readConfig } from '../controller/server/config.ts';
import { shareDeadline, timer } from '../controller/server/deadline.ts';
import { createDryRuns, type DryRuns } from '../controller/server/dry-runs.ts';
import { longestSend, pathsOf } from '../controller/server/handle-paths.ts';
import { createLog } from '../controller/server/log.ts';
import { createMetrics, type Metrics } from '../controller/server/metrics.ts';
import { serve } from '../controller/server/serve.ts';
import { startRecord } from '../event-log/record/start.ts';
import { reportingOf } from './reporting.ts';
import { senderOf } from './sender-of.ts';
import { traced } from './tracing.ts';
import { noLog, unused } from './unused.ts';
import { version } from './version.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const clock: Pick<Outside, 'now' | 'elapsed' | 'after'> = {
  now: Date.now,
  elapsed: () => performance.now(),
  after: timer,
};

/** The functions of one process that changes of objects wake. */
export interface ChangeProcess {
  /** The name of the process, for its log and metrics. */
  readonly name: string;
  readonly own: readonly ChangeFunction[];
  readonly settings: Controller['settings'];
  readonly equip: Controller['equip'];
}

/** Composes these functions from the environment, and starts their server. They share their runs. */
export async function runChangeFunctions(functions: ChangeProcess, env: Environment): Promise<Server> {
  const { name, own, settings, equip } = functions;
  const base = baseOf(name, env, settings);
  const cluster = await connect(base, env, (call) => metrics.apiRequest(call.verb, String(call.status)));
  const stems = own.map(({ stem }) => stem);
  const {
    resources,
    settle,
    states,
    reconcileNames: reconciles = {},
  } = equip({ config: base.config, stems, newToken });
  const counts = states && { states: { ...states, count: () => states.count(cluster) } };
  const metrics: Metrics = createMetrics({ reconciles, ...counts, now: base.now });
  const outside: Outside = { ...clock, random: Math.random, ...(settle && { settle }) };
  const sender = senderOf(base.config);
  const runs = keepRuns({ ...base, cluster, metrics, outside, resources, sender: sender() });
  const checkSender = await senderCheck(base, cluster);
  const events = pathsOf(own.map((one) => ({ stem: one.stem, reaction: reactToChanges(one, runs) })));
  const reporting = traced(reportingOf({ ...base, sender }), { ...base, metrics });
  return serve({ ...base, ...reporting, metrics, stem: name, reaction: { to: 'paths', events }, checkSender });
}

/** The same for a function that takes whole events. It does not load what reconciles. */
export async function runEventFunction(own: EventFunction, env: Environment): Promise<Server> {
  const { stem, uses } = own;
  const base = baseOf(stem, env);
  const { workSeconds } = shareDeadline(base.config.handlerDeadlineSeconds);
  const onCall = (call: Called): void => metrics.apiRequest(call.verb, String(call.status));
  if (uses.includes('broker') && base.config.sink === '') {
    throw new KnudgeError('misuse', `K_SINK is not set, and ${stem} sends events: ${sinkAdvice}`);
  }
  const isAsked = uses.includes('cluster') || base.config.trusted !== undefined;
  const cluster = isAsked ? await connect(base, env, onCall) : undefined;
  const lease = { namespace: base.config.controllerNamespace, name: resyncLease };
  const resync =
    stem === 'resync-due' && cluster ? { began: () => cluster.renewed(lease), now: cluster.now } : undefined;
  const metrics: Metrics = createMetrics({ now: base.now, ...(resync && { resync }) });
  const none = unused(stem, 'cluster');
  const sender = senderOf(base.config);
  const context: EventContext = {
    pager: cluster ?? { page: none },
    tell: cluster?.notice ?? none,
    rounds: cluster ? roundsIn(cluster, lease, newToken) : { read: none, end: none },
    restarts: { read: cluster ? () => readRestarts(cluster, lease) : none },
    sleep: (ms) => sleep(ms, clock),
    sender: (uses.includes('broker') && sender()) || { send: unused(stem, 'broker') },
    eventLog: noLog(stem),
    log: base.log,
    now: clock.now,
    workSeconds,
  };
  const reaction = reactToEvents(own, context);
  const reporting = traced(reportingOf({ ...base, sender }), { ...base, metrics });
  const checkSender = cluster && (await senderCheck(base, cluster));
  return serve({ ...base, ...reporting, metrics, stem, reaction, checkSender });
}

/** The identity of a service, or of a round of the resync: it must not be guessable. */
const newToken = (): string => randomBytes(32).toString('base64url');

/** The same for the functions of one process that use the event log, and for people who ask for what is in it. */
export async function runLogFunctions(name: string, own: readonly EventFunction[], env: Environment): Promise<Server> {
  const base = baseOf(name, env);
  const metrics: Metrics = createMetrics({ now: base.now, log: async () => figures() });
  const { sink, sinkTokenFile: tokenFile } = base.config;
  const onCall = (call: Called): void => metrics.apiRequest(call.verb, String(call.status));
  const transport =
    base.config.isInCluster || base.config.trusted !== undefined
      ? createTransport({ ...(await transportOf(base, env)), onCall })
      : undefined;
  const { figures, ...record } = await startRecord({
    ...base,
    own,
    metrics,
    epoch: clock.now,
    sender: sink === '' ? { send: noSink } : createSender({ sink, tokenFile, timeoutMs: longestSend * 1000 }),
    // Outside a cluster no API server can say who may read the log, so only this machine may.
    ...(base.config.isInCluster && transport && { reviewWith: transport }),
  });
  const keys = transport && { tokenKeys: () => readTokenKeys(transport), now: transport.now };
  const served = traced(record, { ...base, metrics });
  return serve({ ...base, metrics, stem: name, ...served, checkSender: keys && (await senderCheck(base, keys)) });
}

/** The same for a function that answers questions: it reads, and neither writes nor sends. */
export async function runQuestionFunction(own: QuestionFunction, env: Environment): Promise<Server> {
  const { stem } = own;
  const base = baseOf(stem, env);
  if (base.config.trusted !== undefined) {
    const advice = 'set OIDC_ISSUER, OIDC_AUDIENCE and OIDC_SUBJECTS for functions that take events';
    throw new KnudgeError('misuse', `who asks ${stem} has no token of a ServiceAccount: ${advice}`);
  }
  const metrics = createMetrics({ now: base.now });
  const cluster = await connect(base, env, (call) => metrics.apiRequest(call.verb, String(call.status)));
  const { controllerNamespace } = base.config;
  return serve({ ...base, metrics, stem, reaction: reactToQuestions(own, { reader: cluster, controllerNamespace }) });
}

const sinkAdvice =
  "give the address of a Broker's ingress, such as http://broker-ingress.knative-eventing.svc.cluster.local/knudge/knudge";

interface Base {
  readonly config: Config;
  readonly log: ReturnType<typeof createLog>;
  readonly dryRuns: DryRuns;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly after: Outside['after'];
}

function baseOf(stem: string, env: Environment, settings: Controller['settings'] = {}): Base {
  const config = readConfig({ K_SERVICE: stem, ...env }, settings);
  const dryRuns = createDryRuns({ ...config, asksForTokens: config.trusted !== undefined });
  return { config, log: createLog(config), dryRuns, now: clock.elapsed, after: clock.after };
}

/** Undefined if the environment names no senders: then anyone who can reach this process may send events. */
async function senderCheck(
  { config, now: elapsed }: Base,
  { tokenKeys, now }: Pick<Cluster, 'tokenKeys' | 'now'>,
): Promise<SenderCheck | undefined> {
  const { trusted } = config;
  return trusted && createSenderCheck({ trusted, readKeys: tokenKeys, now, elapsed });
}

async function noSink(): Promise<never> {
  throw new KnudgeError('misuse', `K_SINK is not set, so nothing can be sent again: ${sinkAdvice}`);
}

async function transportOf({ config }: Base, env: Environment): Promise<TransportOptions> {
  const access = await findAccess(foundIn(env, config));
  return { access, version, timeoutMs: config.apiTimeoutSeconds * 1000 };
}

async function connect(base: Base, env: Environment, onCall: (call: Called) => void): Promise<Cluster> {
  const { log } = base;
  return createCluster({
    ...(await transportOf(base, env)),
    instance: hostname(),
    watchNamespace: base.config.watchNamespace,
    onCall,
    onLostNotice: (error, notice) => log.warn({ err: error, reason: notice.reason }, 'notice lost'),
    onLostNudge: (error, { namespace, labelSelector }) =>
      log.warn({ err: error, namespace, labelSelector }, 'nudge lost'),
  });
}
