import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { functions, type Stem } from '../../functions/table.ts';
import { apiFrom } from './api.ts';
import { until } from './until.ts';

export interface RunningFunction {
  readonly stem: Stem;
  readonly url: string;
  readonly process: ChildProcess;
  /** What it has logged so far. */
  log(): string;
}

/** Starts functions as processes, each as its own ServiceAccount; `stop` ends them and tells a bad exit. */
export async function startFunctions(kubeconfig: string, stems: readonly Stem[] = Object.keys(functions) as Stem[]) {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-functions-'));
  const running = await Promise.all(stems.map((stem) => startOne(stem, kubeconfig, folder)));
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

async function startOne(stem: Stem, kubeconfig: string, folder: string): Promise<RunningFunction> {
  const file = join(folder, `${stem}-${randomUUID()}.kubeconfig`);
  writeFileSync(file, await kubeconfigOf(stem, kubeconfig), { mode: 0o600 });
  const child = spawn(process.execPath, ['tools/function.ts', stem], {
    env: { PATH: process.env['PATH'], HOME: folder, PORT: '0', KUBECONFIG: file, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  let port: string | undefined;
  await until(`${stem} listens`, async () => {
    port = /"port":(\d+)/.exec(log)?.[1];
    if (child.exitCode !== null) throw new Error(`it has ended: ${log}`);
    return port !== undefined;
  });
  return { stem, url: `http://127.0.0.1:${port ?? ''}`, process: child, log: () => log };
}

async function stopOne({ process: child }: RunningFunction): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  return child.exitCode;
}

/** The cluster of a kubeconfig, with a token of the function's ServiceAccount in the place of its user. */
async function kubeconfigOf(stem: Stem, kubeconfig: string): Promise<string> {
  const path = `/api/v1/namespaces/knudge/serviceaccounts/${stem}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const answer = await apiFrom(kubeconfig)('POST', path, { body });
  if (answer.status !== 201) throw new Error(`no token for ${stem}: ${JSON.stringify(answer.body)}`);
  const { token } = (answer.body as { status: { token: string } }).status;
  const config = parse(readFileSync(kubeconfig, 'utf8')) as { users: { name: string; user: unknown }[] };
  return stringify({ ...config, users: config.users.map(({ name }) => ({ name, user: { token } })) });
}
