import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { hostname } from 'node:os';
import { createSender } from '../../packages/controller/broker/send.ts';
import type { Called } from '../../packages/controller/cluster/call.ts';
import { type Cluster, createCluster } from '../../packages/controller/cluster/cluster.ts';
import { findAccess, foundIn } from '../../packages/controller/cluster/find-access.ts';
import { readRestarts, roundsIn } from '../../packages/controller/cluster/restarts.ts';
import { readTokenKeys } from '../../packages/controller/cluster/token-keys.ts';
import { createTransport, type TransportOptions } from '../../packages/controller/cluster/transport.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { resyncLease } from '../../packages/controller/domain/names.ts';
import type { EventContext, Sender } from '../../packages/controller/domain/ports.ts';
import { type ChangeFunction, reactToChanges } from '../../packages/controller/react/change.ts';
import { type EventFunction, reactToEvents } from '../../packages/controller/react/event.ts';
import { type Outside, sleep } from '../../packages/controller/react/outside.ts';
import { type QuestionFunction, reactToQuestions } from '../../packages/controller/react/question.ts';
import { keepRuns } from '../../packages/controller/react/runs.ts';
import { createSenderCheck, type SenderCheck } from '../../packages/controller/server/check-sender.ts';
import { type Config, readConfig } from '../../packages/controller/server/config.ts';
import { shareDeadline, timer } from '../../packages/controller/server/deadline.ts';
import { createDryRuns, type DryRuns } from '../../packages/controller/server/dry-runs.ts';
import { longestSend, pathsOf } from '../../packages/controller/server/handle-paths.ts';
import { createLog } from '../../packages/controller/server/log.ts';
import { createMetrics, type Metrics } from '../../packages/controller/server/metrics.ts';
import { serve } from '../../packages/controller/server/serve.ts';
import { version } from '../../packages/controller/version.ts';
import { startRecord } from '../../packages/event-log/record/start.ts';
import { issuer } from '../../resources/distributed-service/issuing/issuer.ts';
import { serviceStates } from '../../resources/distributed-service/status/service-states.ts';
import { createAskTunnel } from '../../resources/distributed-service/tunnel/ask.ts';
import { settle } from '../../resources/distributed-service/tunnel/settle.ts';
import { distributedService } from '../../resources/managed/kinds.ts';
import { resourcesWith } from '../../resources/managed/resources.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const clock: Pick<Outside, 'now' | 'elapsed' | 'after'> = {
  now: Date.now,
  elapsed: () => performance.now(),
  after: timer,
};

/** Composes the functions of one process that changes of objects wake from the environment, and starts its server. They share their runs. */
export async function runChangeFunctions(name: string, own: readonly ChangeFunction[], env: Environment) {
  const base = baseOf(name, env);
  const cluster = await connect(base, env, (call) => metrics.apiRequest(call.verb, String(call.status)));
  const everyService = { ...distributedService, namespace: '', labelSelector: '' };
  const countServices = async () => serviceStates(await cluster.list(everyService));
  const counts = own.some(({ stem }) => stem === 'distributed-service-changed') ? { countServices } : {};
  const metrics: Metrics = createMetrics({ ...counts, now: base.now });
  const askTunnel = createAskTunnel({ timeoutMs: base.config.tunnelTimeoutMs });
  const settled: Outside['settle'] = (ref, at) => settle(ref, { ...at, ask: askTunnel });
  const outside: Outside = { ...clock, random: Math.random, settle: settled };
  const resources = resourcesWith({ images: base.config.images, issuer, askTunnel, newToken });
  const runs = keepRuns({ ...base, cluster, metrics, outside, resources, sender: senderOf(base.config) });
  const checkSender = await senderCheck(base, cluster);
  const events = pathsOf(own.map((one) => ({ stem: one.stem, reaction: reactToChanges(one, runs) })));
  return serve({ ...base, metrics, stem: name, reaction: { to: 'paths', events }, checkSender });
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
  const context: EventContext = {
    pager: cluster ?? { page: none },
    tell: cluster?.notice ?? none,
    rounds: cluster ? roundsIn(cluster, lease, newToken) : { read: none, end: none },
    restarts: { read: cluster ? () => readRestarts(cluster, lease) : none },
    sleep: (ms) => sleep(ms, clock),
    sender: (uses.includes('broker') && senderOf(base.config)) || { send: unused(stem, 'broker') },
    eventLog: noLog(stem),
    log: base.log,
    now: clock.now,
    workSeconds,
  };
  const reaction = reactToEvents(own, context);
  return serve({ ...base, metrics, stem, reaction, checkSender: cluster && (await senderCheck(base, cluster)) });
}

/** Absent where the environment names no Broker. */
function senderOf({ sink, sinkTokenFile: tokenFile, handlerDeadlineSeconds }: Config): Sender | undefined {
  const timeoutMs = shareDeadline(handlerDeadlineSeconds).sendSeconds * 1000;
  return sink === '' ? undefined : createSender({ sink, tokenFile, timeoutMs, perSecond: mostSent });
}

/** The identity of a service, or of a round of the resync: nobody may guess it. */
const newToken = (): string => randomBytes(32).toString('base64url');

/** Events a second: a Broker that only stores them takes far more than functions handle, and all other events wait behind them. */
const mostSent = 200;

/** The same for the functions of one process that use the event log, and for people who ask for what is in it. */
export async function runLogFunctions(name: string, own: readonly EventFunction[], env: Environment): Promise<Server> {
  const base = baseOf(name, env);
  const metrics = createMetrics({ now: base.now });
  const { sink, sinkTokenFile: tokenFile } = base.config;
  const onCall = (call: Called): void => metrics.apiRequest(call.verb, String(call.status));
  const transport =
    base.config.isInCluster || base.config.trusted !== undefined
      ? createTransport({ ...(await transportOf(base, env)), onCall })
      : undefined;
  const record = await startRecord({
    ...{ ...base, own, metrics, epoch: clock.now },
    sender: sink === '' ? { send: noSink } : createSender({ sink, tokenFile, timeoutMs: longestSend * 1000 }),
    // Elsewhere nobody can be asked who may read it, so that only this machine may.
    ...(base.config.isInCluster && transport && { reviewWith: transport }),
  });
  const keys = transport && { tokenKeys: () => readTokenKeys(transport), now: transport.now };
  return serve({ ...base, metrics, stem: name, ...record, checkSender: keys && (await senderCheck(base, keys)) });
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

function baseOf(stem: string, env: Environment): Base {
  const config = readConfig({ K_SERVICE: stem, ...env });
  const dryRuns = createDryRuns({ ...config, asksForTokens: config.trusted !== undefined });
  return { config, log: createLog(config), dryRuns, now: clock.elapsed, after: clock.after };
}

/** Nothing where the environment names nobody: then whoever can reach this process may send events. */
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

function noLog(stem: string): EventContext['eventLog'] {
  return { append: unused(stem, 'event log'), appendDeadLetter: unused(stem, 'event log') };
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

/** What a function asks for whose row does not say that it uses it. */
function unused(stem: string, what: string): () => Promise<never> {
  return async () => {
    throw new KnudgeError('internal', `${stem} asks for the ${what}: its row in functions/table.ts must say so`);
  };
}
