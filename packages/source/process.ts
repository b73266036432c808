import type { Server } from 'node:http';
import { findAccess, foundIn } from '../controller/cluster/find-access.ts';
import { KnudgeError } from '../controller/domain/errors.ts';
import { type Config, readConfig } from '../controller/server/config.ts';
import { timer } from '../controller/server/deadline.ts';
import { createDryRuns } from '../controller/server/dry-runs.ts';
import { createLog } from '../controller/server/log.ts';
import { createMetrics } from '../controller/server/metrics.ts';
import { serve } from '../controller/server/serve.ts';
import type { Watched } from './collection.ts';
import { nameOf } from './collection.ts';
import { pack } from './pack.ts';
import { limits, type RunningSource, runSource } from './run.ts';
import { seldom } from './seldom.ts';
import { createSend } from './send.ts';
import { standBy } from './stand-by.ts';
import { type Watching, type WatchWish, watchedOf } from './watched.ts';

/** The parts of a source's process, besides its environment. */
export interface ProcessParts {
  /** The version of Knudge. */
  readonly version: string;
  readonly watches: readonly WatchWish[];
  readonly looksAt: Watching['looksAt'];
}

/** A source that runs in this process. */
export interface SourceProcess {
  /** Serves health and metrics. */
  readonly server: Server;
  /** Ends the work beside the server; a signal does that too. */
  close(): Promise<void>;
}

const name = 'source';

/** Knative mounts a token here if the sink asks for tokens (eventing `pkg/apis/sources/v1/sinkbinding_lifecycle.go`). */
const tokenOfKnative = '/oidc/token';

/** A synchronous Broker answers when all functions have: their Triggers give up within 62 s. */
const sendMs = 65_000;

/**
 * Runs the source of a cluster as a process, until a signal ends it: it sends changes to the sink in K_SINK, and serves health
 * and metrics. Throws `misuse` if the environment is wrong.
 */
export async function runSourceProcess(
  { version, watches, looksAt }: ProcessParts,
  env: NodeJS.ProcessEnv,
): Promise<SourceProcess> {
  const config = readConfig({ K_SERVICE: name, ...env });
  if (config.sink === '') throw new KnudgeError('misuse', `K_SINK is not set: ${sinkAdvice}`);
  const log = createLog(config);
  const access = await findAccess(foundIn(env, config));
  const namespaces = config.watchNamespace === '' ? [] : [config.watchNamespace];
  const watched = watchedOf(watches, { namespaces, looksAt });
  const views = viewsOf(watched);
  let isOver = false;
  const { send, close } = createSend({ ...sinkOf(config), refused: seldom((why) => log.warn({ why }, 'not taken')) });
  let source: RunningSource | undefined;
  const begin = (): RunningSource =>
    runSource({
      ...{ access, version, file: config.sourceFile, watched, send },
      pack: (happening, { metadataOnly }) =>
        pack(happening, {
          ...{ source: access.server, namespace: config.controllerNamespace, overrides: config.overrides },
          ...{ now: () => new Date(), mode: metadataOnly ? 'Reference' : 'Resource' },
        }),
      tell: (one, state) => {
        views.set(nameOf(one), state.kind);
        if (state.kind === 'watching') log.info({ watch: nameOf(one) }, 'watching');
        else log.warn({ watch: nameOf(one), why: state.why }, 'blind');
      },
      failed: seldom((error) =>
        log.error({ err: error, file: config.sourceFile }, 'cannot write what was announced to the file'),
      ),
      takenOver: () => {
        log.error({ file: config.sourceFile }, 'another source has taken over the file: this process ends');
        isOver = true;
        // In a rollout Kubernetes has deleted this Pod by then. Otherwise the kubelet starts the process again, which takes the file back.
        setTimeout(() => process.exit(1), takenOverMs);
      },
      begunAnew: (error) =>
        log.error({ err: error, file: config.sourceFile }, 'the file is broken: every object is announced again'),
    });
  // The watches of a standby are those of another process, if it knows one.
  const blind = (): number => {
    if (source === undefined) return election?.knows() === true ? 0 : views.size;
    return [...views.values()].filter((kind) => kind !== 'watching').length;
  };
  let hasStood = false;
  const election =
    config.sourceLease === ''
      ? undefined
      : standBy({ access, version, config, log, host: env['HOSTNAME'] ?? name }, () => {
          source = begin();
        });
  if (election === undefined) source = begin();
  const end = async (): Promise<void> => {
    await source?.close();
    close();
    await election?.close();
  };
  const server = serve({
    ...{ config, log, stem: name, now: () => performance.now(), after: timer },
    metrics: createMetrics({
      now: () => performance.now(),
      source: () => ({ ...(source?.counts() ?? nothing), blind: blind() }),
    }),
    dryRuns: createDryRuns({ ...config, asksForTokens: false }),
    reaction: { to: 'paths', events: new Map() },
    notReady: () => {
      if (isOver) return 'another source has taken over its file';
      if (source === undefined) return blind() === 0 ? undefined : 'it cannot ask which process holds the Lease';
      hasStood ||= blind() === 0;
      return hasStood ? undefined : `${String(blind())} of ${String(views.size)} watches do not stand yet`;
    },
    atEnd: end,
  });
  return { server, close: end };
}

/** The figures of a standby. */
const nothing = { sent: 0, failed: 0, waiting: 0, bytes: 0, oldestMs: 0, leftOut: 0, objects: 0, fileBytes: 0 };

/** Longer than a Pod that is replaced may take to end. */
const takenOverMs = 30_000;

const sinkAdvice = 'a ContainerSource or a SinkBinding of Knative sets it to the address of a Broker';

function viewsOf(watched: readonly Watched[]): Map<string, string> {
  return new Map(watched.map((one) => [nameOf(one), 'not yet']));
}

function sinkOf({ sink, sinkCa: ca, sinkTokenFile }: Config) {
  const tokenFile = sinkTokenFile === '' ? tokenOfKnative : sinkTokenFile;
  return { sink, ca, tokenFile, timeoutMs: sendMs, most: limits.most };
}
