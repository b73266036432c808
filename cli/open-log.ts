import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { KnudgeError } from '../packages/controller/domain/errors.ts';
import type { LogReader } from '../packages/controller/domain/event-log.ts';
import { isReady } from '../packages/event-log/api/is-ready.ts';
import { logOverHttp } from '../packages/event-log/api/over-http.ts';
import { logFile } from '../packages/mesh/log-file.ts';
import { readState } from '../packages/mesh/state.ts';
import { version } from './about.ts';
import type { LogForward } from './cluster/forward-log.ts';
import { type Common, dirOption, kubeconfigOption, namespaceOption } from './leaf.ts';

/** The options that say where the log is. */
export interface LogOptions extends Common {
  readonly dir: string;
  readonly kubeconfig?: string;
  readonly namespace: string;
  readonly token?: string;
  readonly serviceAccount?: string;
}

/** Adds the options that say where the log is. */
export function withLog(command: Command): Command {
  return command
    .addOption(dirOption())
    .addOption(kubeconfigOption())
    .addOption(namespaceOption())
    .addOption(
      new Option('--token <token>', "token for the cluster's log, instead of the kubeconfig's").env('KNUDGE_TOKEN'),
    )
    .option('--service-account <name>', "read the cluster's log with a token of this ServiceAccount");
}

/** The kubeconfig of the cluster, or of the mesh. Throws `unavailable` if there is neither. */
export function kubeconfigOf({ dir, kubeconfig }: Pick<LogOptions, 'dir' | 'kubeconfig'>): string {
  return kubeconfig === undefined ? readState(resolve(dir)).kubeconfig : resolve(kubeconfig);
}

export interface OpenLog {
  readonly log: LogReader;
  /** The name of the log in messages. */
  readonly title: string;
  /** Posts to the log's HTTP interface: `/dead-letters/7/retry`. Fails with `unavailable` if no process of the log runs. */
  post(path: string, body: unknown): Promise<unknown>;
  /** Why the log's process is not ready, or that it does not answer; undefined if it is ready. */
  ready(): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the log of a mesh (also when it is down) or of a cluster by a port-forward. Throws `unavailable` if there is no log
 * and `invalid-request` if a newer Knudge wrote it.
 */
export async function openLog(options: LogOptions): Promise<OpenLog> {
  return options.kubeconfig === undefined ? openOfMesh(resolve(options.dir)) : openOfCluster(options);
}

async function openOfMesh(dir: string): Promise<OpenLog> {
  const file = logFile(dir);
  // Opened on demand: the file can be read without a running mesh.
  const remote = () => logOverHttp({ url: addressOf(dir) });
  const post: OpenLog['post'] = async (path, body) => remote().post(path, body);
  const ready = async () => isReady(addressOf(dir));
  if (!existsSync(file) || isInDatabase(dir)) return openWithoutFile(dir, remote, { post, ready });
  // Imported here because it loads SQLite.
  const { readSqlite } = await import('../packages/event-log/store/sqlite.ts');
  const { close, ...log } = readSqlite(file);
  return { log, title: file, post, ready, close: async () => close() };
}

/** Whether a mesh runs there whose log is in a database: then the file is of an earlier one. */
function isInDatabase(dir: string): boolean {
  try {
    return readState(dir).eventLog === null;
  } catch {
    return false;
  }
}

/** The log of a mesh that runs with DATABASE_URL is read over HTTP. */
function openWithoutFile(dir: string, remote: () => LogReader, asked: Pick<OpenLog, 'post' | 'ready'>): OpenLog {
  try {
    return { log: remote(), title: `the log of the mesh in ${dir}`, ...asked, close: async () => {} };
  } catch (cause) {
    const advice = 'start a mesh there with npx knudge dev, or name its --dir or a --kubeconfig';
    throw new KnudgeError('unavailable', `There is no event log in ${dir}: ${advice}`, { cause });
  }
}

function addressOf(dir: string): string {
  const { functions } = readState(dir);
  const { 'event-log': url } = functions;
  if (url !== undefined) return url;
  throw new KnudgeError('unavailable', `The mesh in ${dir} has no event log: its manifests have no such Service`);
}

async function openOfCluster(options: LogOptions): Promise<OpenLog> {
  const forward = await forwardOf(options);
  const { post, ...log } = logOverHttp(forward);
  const ready = () => isReady(forward.url);
  return { log, title: `the event log of namespace ${options.namespace}`, post, ready, close: forward.close };
}

/** A port-forward to the log of a cluster, with the token that the options say. */
export async function forwardOf({
  kubeconfig = '',
  namespace,
  token,
  serviceAccount,
}: LogOptions): Promise<LogForward> {
  // Imported here because it loads the Kubernetes client.
  const { forwardLog } = await import('./cluster/forward-log.ts');
  const forward = await forwardLog({
    kubeconfig: resolve(kubeconfig),
    namespace,
    version,
    ...(serviceAccount !== undefined && { serviceAccount }),
  });
  return { ...forward, ...(token !== undefined && { token: async () => token }) };
}
