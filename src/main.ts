import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { hostname } from 'node:os';
import { createSender } from './broker/send.ts';
import { issuer } from './certificates/issuer.ts';
import { KnudgeError } from './domain/errors.ts';
import type { EventContext } from './domain/ports.ts';
import type { Called } from './kube/call.ts';
import { type Cluster, createCluster } from './kube/cluster.ts';
import { findAccess } from './kube/find-access.ts';
import { distributedService } from './parents/kinds.ts';
import { type ChangeFunction, reactToChanges } from './react/change.ts';
import { type EventFunction, reactToEvents } from './react/event.ts';
import type { Outside } from './react/outside.ts';
import { type QuestionFunction, reactToQuestions } from './react/question.ts';
import { type Config, readConfig } from './server/config.ts';
import { shareDeadline, timer } from './server/deadline.ts';
import { createLog } from './server/log.ts';
import { createMetrics, type Metrics } from './server/metrics.ts';
import { serve } from './server/serve.ts';
import { serviceStates } from './server/service-states.ts';
import { createAskTunnel } from './tunnel/ask.ts';
import { version } from './version.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const clock: Pick<Outside, 'now' | 'elapsed' | 'after'> = {
  now: Date.now,
  elapsed: () => performance.now(),
  after: timer,
};

/** Composes a function that changes of objects wake from the environment, and starts its server. */
export async function runChangeFunction(own: ChangeFunction, env: Environment): Promise<Server> {
  const { stem } = own;
  const base = baseOf(stem, env);
  const cluster = await connect(base, env, (call) => metrics.apiRequest(call.verb, String(call.status)));
  const everyService = { ...distributedService, namespace: '', labelSelector: '' };
  const countServices = async () => serviceStates(await cluster.list(everyService));
  const counts = stem === 'distributed-service-changed' ? { countServices } : {};
  const metrics: Metrics = createMetrics({ ...counts, now: base.now });
  const newToken = () => randomBytes(32).toString('base64url');
  const askTunnel = createAskTunnel({ timeoutMs: base.config.tunnelTimeoutMs });
  const outside: Outside = { ...clock, random: Math.random, newToken, issuer, askTunnel };
  return serve({ ...base, metrics, stem, reaction: reactToChanges(own, { ...base, cluster, metrics, outside }) });
}

/** The same for a function that takes whole events. It does not load what reconciles, nor the other what sends. */
export async function runEventFunction(own: EventFunction, env: Environment): Promise<Server> {
  const { stem, uses } = own;
  const base = baseOf(stem, env);
  const metrics = createMetrics({ now: base.now });
  const { workSeconds, sendSeconds } = shareDeadline(base.config.handlerDeadlineSeconds);
  const onCall = (call: Called): void => metrics.apiRequest(call.verb, String(call.status));
  const { sink } = base.config;
  if (uses.includes('broker') && sink === '') {
    throw new KnudgeError('invalid-request', `K_SINK is not set, and ${stem} sends events: ${sinkAdvice}`);
  }
  const context: EventContext = {
    pager: uses.includes('cluster') ? await connect(base, env, onCall) : { page: unused(stem, 'cluster') },
    sender: uses.includes('broker')
      ? createSender({ sink, timeoutMs: sendSeconds * 1000 })
      : { send: unused(stem, 'broker') },
    log: base.log,
    now: clock.now,
    workSeconds,
  };
  return serve({ ...base, metrics, stem, reaction: reactToEvents(own, context) });
}

/** The same for a function that answers questions: it reads, and neither writes nor sends. */
export async function runQuestionFunction(own: QuestionFunction, env: Environment): Promise<Server> {
  const { stem } = own;
  const base = baseOf(stem, env);
  const metrics = createMetrics({ now: base.now });
  const cluster = await connect(base, env, (call) => metrics.apiRequest(call.verb, String(call.status)));
  return serve({ ...base, metrics, stem, reaction: reactToQuestions(own, cluster) });
}

const sinkAdvice =
  "give the address of a Broker's ingress, such as http://broker-ingress.knative-eventing.svc.cluster.local/knudge/knudge";

interface Base {
  readonly config: Config;
  readonly log: ReturnType<typeof createLog>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly after: Outside['after'];
}

function baseOf(stem: string, env: Environment): Base {
  const config = readConfig({ K_SERVICE: stem, ...env });
  return { config, log: createLog(config), now: clock.elapsed, after: clock.after };
}

async function connect({ config, log }: Base, env: Environment, onCall: (call: Called) => void): Promise<Cluster> {
  const access = await findAccess({
    kubeconfig: env['KUBECONFIG'],
    url: config.apiServerUrl,
    host: env['KUBERNETES_SERVICE_HOST'],
    port: env['KUBERNETES_SERVICE_PORT'],
  });
  return createCluster({
    access,
    version,
    timeoutMs: config.apiTimeoutSeconds * 1000,
    instance: hostname(),
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
