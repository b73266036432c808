import { createHash, randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSender } from './broker/send.ts';
import { issuer } from './certificates/issuer.ts';
import type { Change, Received } from './domain/change.ts';
import { asKnudgeError, KnudgeError } from './domain/errors.ts';
import { describe, groupOf, type ObjectRef } from './domain/kube-object.ts';
import type { Outcome } from './domain/plan.ts';
import type { EventContext, EventHandler, Handler } from './domain/ports.ts';
import { timeOf } from './domain/time.ts';
import type { Called } from './kube/call.ts';
import { type Cluster, createCluster } from './kube/cluster.ts';
import { counted } from './kube/counted.ts';
import { findAccess } from './kube/find-access.ts';
import { distributedService } from './parents/kinds.ts';
import { keyOf, refOfKey } from './reconcile/key.ts';
import { reconcile } from './reconcile/reconcile.ts';
import { share } from './reconcile/share.ts';
import { type Config, readConfig } from './server/config.ts';
import { shareDeadline } from './server/deadline.ts';
import type { HandleOptions } from './server/handle-event.ts';
import { createLog } from './server/log.ts';
import { createMetrics, type Metrics } from './server/metrics.ts';
import { serve } from './server/serve.ts';
import { serviceStates } from './server/service-states.ts';
import { createTrace } from './server/trace.ts';
import { version } from './version.ts';

/** A row of the table of functions. */
interface ChangeFunction {
  readonly stem: string;
  readonly handle: Handler;
  readonly kind: string;
}

interface EventFunction {
  readonly stem: string;
  readonly handle: EventHandler;
  readonly types: readonly string[] | 'every';
  readonly uses: readonly ('cluster' | 'broker')[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Composes a function that changes of objects wake from the environment, and starts its server. */
export async function runChangeFunction(own: ChangeFunction, env: Environment): Promise<Server> {
  const { stem, handle, kind } = own;
  const base = baseOf(stem, env);
  const cluster = await connect(base, env, (call) => metrics.apiRequest(call.verb, String(call.status)));
  const everyService = { ...distributedService, namespace: '', labelSelector: '' };
  const countServices = async () => serviceStates(await cluster.list(everyService));
  const counts = stem === 'distributed-service-changed' ? { countServices } : {};
  const metrics: Metrics = createMetrics({ ...counts, now: base.now });
  const run = reconciler({ ...base, cluster, metrics });
  const shared = share((key: string) => run(refOfKey(key), false));
  const { controllerNamespace } = base.config;
  const react = async (change: Change, { dryRun }: HandleOptions): Promise<readonly Outcome[]> => {
    const { reader, counts } = counted(cluster);
    const makeRight = (ref: ObjectRef): Promise<Outcome> => (dryRun ? run(ref, true) : shared(keyOf(ref)));
    const outcomes = await handle(change, { reader, controllerNamespace, reconcile: makeRight });
    return [...outcomes, { result: 'ignored', reads: counts().reads, writes: 0 }];
  };
  const takes = (ref: ObjectRef): boolean => kind === `${groupOf(ref.apiVersion)}/${ref.kind}`;
  return serve({ ...base, metrics, stem, reaction: { to: 'change', takes, handle: react } });
}

/** The same for a function that takes whole events. It does not load what reconciles, nor the other what sends. */
export async function runEventFunction(own: EventFunction, env: Environment): Promise<Server> {
  const { stem, handle, types, uses } = own;
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
    now: Date.now,
    workSeconds,
  };
  const react = (received: Received): Promise<Outcome> => handle(received, context);
  return serve({ ...base, metrics, stem, reaction: { to: 'event', types, handle: react } });
}

const sinkAdvice =
  "give the address of a Broker's ingress, such as http://broker-ingress.knative-eventing.svc.cluster.local/knudge/knudge";

interface Base {
  readonly config: Config;
  readonly log: ReturnType<typeof createLog>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

function baseOf(stem: string, env: Environment): Base {
  const config = readConfig({ K_SERVICE: stem, ...env });
  return { config, log: createLog(config), now: () => performance.now() };
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
  });
}

interface Parts extends Base {
  readonly cluster: Cluster;
  readonly metrics: Metrics;
}

/** Reconciles one parent and tells the metrics; counts what it read and wrote. */
function reconciler({
  cluster,
  config,
  log,
  metrics,
  now,
}: Parts): (ref: ObjectRef, dryRun: boolean) => Promise<Outcome> {
  return async (ref, dryRun) => {
    const started = now();
    const { reader, writer, counts } = counted(cluster);
    const trace = createTrace(log.child({ parent: describe(ref) }), now);
    const given = () => ({
      now: timeOf(Date.now() / 1000),
      hash: hashOf,
      newToken: () => randomBytes(32).toString('base64url'),
      images: config.images,
      controllerNamespace: config.controllerNamespace,
    });
    try {
      const { result, plans } = await reconcile(ref, { reader, writer, issuer, trace, given, pause, dryRun });
      metrics.reconciled(ref.kind, result, (now() - started) / 1000);
      const { reads, writes } = counts();
      return { result, reads, writes, parents: [ref], ...(plans && { plans }) };
    } catch (error) {
      metrics.reconciled(ref.kind, 'error', (now() - started) / 1000);
      metrics.reconcileFailed(asKnudgeError(error).code);
      throw error;
    }
  };
}

/** 32 hexadecimal digits: they fit a label, and two texts with the same are not to be found. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** 50 ms, doubled with each try, and up to as much again at random: two that met do not meet again. */
async function pause(tries: number): Promise<void> {
  await sleep(25 * 2 ** tries * (1 + Math.random()));
}

/** What a function asks for whose row does not say that it uses it. */
function unused(stem: string, what: string): () => Promise<never> {
  return async () => {
    throw new KnudgeError('internal', `${stem} asks for the ${what}: its row in functions/table.ts must say so`);
  };
}
