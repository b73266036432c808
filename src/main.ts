import { createHash, randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { issuer } from './certificates/issuer.ts';
import { resourceOf } from './decide/resources.ts';
import type { DistributedService } from './domain/distributed-service.ts';
import { asKnudgeError } from './domain/errors.ts';
import { describe, groupOf, type ObjectRef } from './domain/kube-object.ts';
import type { Outcome } from './domain/plan.ts';
import type { Handler } from './domain/ports.ts';
import { timeOf } from './domain/time.ts';
import type { Access } from './kube/access.ts';
import { type Cluster, createCluster } from './kube/cluster.ts';
import { counted } from './kube/counted.ts';
import { inCluster } from './kube/in-cluster.ts';
import { distributedService } from './parents/kinds.ts';
import { reconcile } from './reconcile/reconcile.ts';
import { share } from './reconcile/share.ts';
import { createApp } from './server/app.ts';
import { type Config, readConfig } from './server/config.ts';
import { createLog } from './server/log.ts';
import { createMetrics, type Metrics } from './server/metrics.ts';
import { drainOnSignals } from './server/shutdown.ts';
import { createTrace } from './server/trace.ts';
import { version } from './version.ts';

/** A row of the table of functions. */
interface FunctionParts {
  readonly stem: string;
  readonly handle: Handler;
  readonly kind: string;
}

type Log = ReturnType<typeof createLog>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Composes one function from the environment and starts its server; from then on it lives by signals. */
export async function runFunction({ stem, handle, kind }: FunctionParts, env: Environment): Promise<Server> {
  const config = readConfig({ K_SERVICE: stem, ...env });
  const log = createLog(config);
  const now = (): number => performance.now();
  const cluster = createCluster({
    access: await accessOf(env),
    version,
    timeoutMs: config.apiTimeoutSeconds * 1000,
    instance: hostname(),
    onCall: ({ verb, status }) => metrics.apiRequest(verb, String(status)),
    onLostNotice: (error, notice) => log.warn({ err: error, reason: notice.reason }, 'notice lost'),
  });
  const countServices = stem === 'distributed-service-changed' ? () => statesOf(cluster) : nothingToCount;
  const metrics: Metrics = createMetrics({ countServices, now });
  const run = reconciler({ cluster, config, log, metrics, now });
  const shared = share((key: string) => run(refOfKey(key), false));
  const drain = { begun: false };
  const server = createApp({
    takes: (ref) => kind === `${groupOf(ref.apiVersion)}/${ref.kind}`,
    handleEvent: async (change, { dryRun }) => {
      const { reader, counts } = counted(cluster);
      const makeRight = (ref: ObjectRef): Promise<Outcome> => (dryRun ? run(ref, true) : shared(keyOf(ref)));
      const context = { reader, controllerNamespace: config.controllerNamespace, reconcile: makeRight };
      const outcomes = await handle(change, context);
      return [...outcomes, { result: 'ignored', reads: counts().reads, writes: 0 }];
    },
    config,
    log,
    metrics,
    now,
    drain,
  });
  drainOnSignals({
    server,
    drain,
    log,
    graceSeconds: config.shutdownGraceSeconds,
    signals: process,
    exit: (code) => process.exit(code),
  });
  server.on('error', (error) => {
    log.fatal({ err: error, port: config.port }, 'cannot listen');
    process.exitCode = 1;
  });
  return server.listen(config.port, () => log.info({ stem, address: server.address() }, 'listening'));
}

/** In a cluster the ServiceAccount of the Pod; elsewhere, or where a kubeconfig is named, the Kubernetes client. */
async function accessOf(env: Environment): Promise<Access> {
  const host = env['KUBERNETES_SERVICE_HOST'];
  if (host && !env['KUBECONFIG']) return inCluster({ host, port: env['KUBERNETES_SERVICE_PORT'] });
  const { outsideCluster } = await import('./kube/outside.ts');
  return outsideCluster();
}

interface Parts {
  readonly cluster: Cluster;
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly now: () => number;
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
      return { result, reads, writes, ...(plans && { plans }) };
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

/** One key for every version of a kind: they are the same object. */
function keyOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  return JSON.stringify([resourceOf({ apiVersion, kind })?.apiVersion ?? apiVersion, kind, namespace, name]);
}

function refOfKey(key: string): ObjectRef {
  const [apiVersion = '', kind = '', namespace = '', name = ''] = JSON.parse(key) as readonly string[];
  return { apiVersion, kind, namespace, name };
}

async function statesOf(cluster: Cluster): Promise<ReadonlyMap<string, number>> {
  const services = await cluster.list({ ...distributedService, namespace: '', labelSelector: '' });
  const states = services.map((service) => (service as DistributedService).status?.state ?? 'Pending');
  return new Map([...new Set(states)].map((state) => [state, states.filter((other) => other === state).length]));
}

async function nothingToCount(): Promise<ReadonlyMap<string, number>> {
  return new Map();
}
