import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { functions, type Stem, serviceOf } from '../../functions/table.ts';
import { accountOf } from '../build/accounts.ts';
import { aloneStems as every } from '../build/stems.ts';
import { apiFrom } from './api.ts';
import { until } from './until.ts';

export interface RunningFunction {
  readonly stem: Stem;
  readonly url: string;
  readonly process: ChildProcess;
  /** What it has logged so far. */
  log(): string;
}

export interface FunctionsOptions {
  /** All of them, if absent. */
  readonly stems?: readonly Stem[];
  /** Beside the kubeconfig. If absent, there is no Broker; a function that does not start without one gets one that cannot be reached. */
  readonly env?: Readonly<Record<string, string>>;
  /** The namespace of their ServiceAccounts: `knudge` if absent. */
  readonly home?: string;
}

/** Starts functions as processes, each as the ServiceAccount of its manifest; `stop` ends them and reports a bad exit. */
export async function startFunctions(
  kubeconfig: string,
  { stems = every, env = { K_SINK: nowhere, TUNNEL_TIMEOUT_MS: '0' }, home = 'knudge' }: FunctionsOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-functions-'));
  const children: ChildProcess[] = [];
  const starting = { kubeconfig, folder, env, home, onSpawn: (child: ChildProcess) => void children.push(child) };
  const running = await Promise.all(stems.map((stem) => startOne(stem, starting))).catch((error: unknown) => {
    // Left alone, those that do run would keep the test's process from its end.
    for (const child of children) child.kill('SIGKILL');
    throw error;
  });
  const stop = async (): Promise<void> => {
    const codes = await Promise.all(running.map(stopOne));
    rmSync(folder, { recursive: true });
    const bad = running.filter((_, index) => codes[index] !== 0);
    if (bad.length > 0)
      throw new Error(`did not end with 0: ${bad.map(({ stem, log }) => `${stem}: ${log().slice(-500)}`).join('\n')}`);
  };
  const of = (stem: Stem): RunningFunction => {
    const one = running.find((candidate) => candidate.stem === stem);
    if (one === undefined) throw new Error(`${stem} was not started`);
    return one;
  };
  return { of, stop };
}

/** A Broker that cannot be reached: a function that can do without one does not get it. */
export const nowhere = 'http://127.0.0.1:9/';

function environmentOf(stem: Stem, { K_SINK, ...env }: Readonly<Record<string, string>>): typeof env {
  const row = functions[stem];
  const needsIt = row.wakes === 'event' && (row.uses as readonly string[]).includes('broker');
  return K_SINK === undefined || (K_SINK === nowhere && !needsIt) ? env : { ...env, K_SINK };
}

interface Starting {
  readonly kubeconfig: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly onSpawn: (child: ChildProcess) => void;
}

async function startOne(stem: Stem, { kubeconfig, folder, env, home, onSpawn }: Starting): Promise<RunningFunction> {
  const file = join(folder, `${stem}-${randomUUID()}.kubeconfig`);
  const account = { namespace: home, name: accountOf(serviceOf(stem)) };
  writeFileSync(file, await kubeconfigOf(kubeconfig, account), { mode: 0o600 });
  const child = spawn(process.execPath, ['packages/start/function.ts', stem], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      PORT: '0',
      KUBECONFIG: file,
      NODE_NO_WARNINGS: '1',
      // A start costs 0.7 s of a processor in place of 1.2 s, and this is done hundreds of times.
      NODE_COMPILE_CACHE: '.knudge/compile-cache',
      ...environmentOf(stem, env),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onSpawn(child);
  process.once('exit', () => child.kill('SIGKILL'));
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  let port: string | undefined;
  const listens = async (): Promise<boolean> => {
    port = /"port":(\d+)/.exec(log)?.[1];
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it has ended: ${log}`);
    return port !== undefined;
  };
  await until(`${stem} listens`, listens, 90);
  return { stem, url: `http://127.0.0.1:${port ?? ''}`, process: child, log: () => log };
}

async function stopOne({ process: child }: RunningFunction): Promise<number | null> {
  // One that a signal ended has no exit code, and will not exit once more.
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  return child.exitCode;
}

interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** The cluster of a kubeconfig, with a token of a ServiceAccount in the place of its user. */
export async function kubeconfigOf(kubeconfig: string, account: Account): Promise<string> {
  const token = await tokenOf(kubeconfig, account);
  const config = parse(readFileSync(kubeconfig, 'utf8')) as { users: { name: string; user: unknown }[] };
  return stringify({ ...config, users: config.users.map(({ name }) => ({ name, user: { token } })) });
}

/** A token of a ServiceAccount, good for an hour. */
async function tokenOf(kubeconfig: string, { namespace, name }: Account): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const answer = await apiFrom(kubeconfig)('POST', path, { body });
  if (answer.status !== 201) throw new Error(`no token for ${namespace}/${name}: ${JSON.stringify(answer.body)}`);
  return (answer.body as { status: { token: string } }).status.token;
}
