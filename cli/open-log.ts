import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { KnudgeError } from '../packages/controller/domain/errors.ts';
import type { LogReader } from '../packages/controller/domain/event-log.ts';
import { logOverHttp } from '../packages/event-log/api/over-http.ts';
import { readState } from '../packages/mesh/state.ts';
import { version } from './about.ts';
import { type Common, dirOption, kubeconfigOption, namespaceOption } from './leaf.ts';

/** What says where the log is. */
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
    .addOption(new Option('--token <token>', "for the cluster's log, instead of the kubeconfig's").env('KNUDGE_TOKEN'))
    .option('--service-account <name>', "ask the cluster's log with a token of this ServiceAccount");
}

export interface OpenLog {
  readonly log: LogReader;
  /** For people. */
  readonly title: string;
  /** To the log's HTTP interface: `/dead-letters/7/retry`. Fails with `unavailable` where no process of the log runs. */
  post(path: string, body: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * The log of a mesh, also of one that is down, or that of a cluster by a port-forward. Throws `unavailable` where there is
 * none and `invalid-request` where a newer Knudge wrote it.
 */
export async function openLog(options: LogOptions): Promise<OpenLog> {
  return options.kubeconfig === undefined ? openOfMesh(resolve(options.dir)) : openOfCluster(options);
}

async function openOfMesh(dir: string): Promise<OpenLog> {
  const file = join(dir, 'events.db');
  // Asked for when it is needed: the file is there without a mesh.
  const remote = () => logOverHttp({ url: addressOf(dir) });
  const post: OpenLog['post'] = async (path, body) => remote().post(path, body);
  if (!existsSync(file)) return openWithoutFile(dir, remote, post);
  // It loads SQLite.
  const { readSqlite } = await import('../packages/event-log/store/sqlite.ts');
  const { close, ...log } = readSqlite(file);
  return { log, title: file, post, close: async () => close() };
}

/** A mesh that runs with DATABASE_URL has no file. */
function openWithoutFile(dir: string, remote: () => LogReader, post: OpenLog['post']): OpenLog {
  try {
    return { log: remote(), title: `the log of the mesh in ${dir}`, post, close: async () => {} };
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
  const { kubeconfig = '', namespace, token, serviceAccount } = options;
  // It loads the Kubernetes client.
  const { forwardLog } = await import('./cluster/forward-log.ts');
  const forward = await forwardLog({
    ...{ kubeconfig: resolve(kubeconfig), namespace, version },
    ...(serviceAccount !== undefined && { serviceAccount }),
  });
  const { post, ...log } = logOverHttp({
    url: forward.url,
    said: forward.said,
    token: token === undefined ? forward.token : async () => token,
  });
  return { log, title: `the event log of namespace ${namespace}`, post, close: forward.close };
}
