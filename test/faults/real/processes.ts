import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Stem } from '../../../functions/table.ts';
import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import { until } from '../../kube/until.ts';
import type { Reply } from './deliver.ts';
import type { InProcessParts } from './in-process.ts';
import type { Troupe } from './stage.ts';

interface Process {
  readonly instance: number;
  readonly child: ChildProcess;
  readonly url: Promise<string>;
  /** The invocation that it is busy with. */
  run: number;
}

/**
 * Functions as processes of their own, one for each stem: each wakes on its first event and lives until it is killed. A
 * crash is a SIGKILL in the middle of the call. One event at a time: what a process calls belongs to its last event. One
 * that gave an event up at its deadline still works on it, so the next event wakes another.
 */
export function createProcesses({ urlOf, controllerNamespace, say }: InProcessParts): Troupe {
  const living = new Map<Stem, Process>();
  const all = new Map<number, Process>();
  let runs = 0;
  const wake = (stem: Stem): Process => {
    const awake = living.get(stem);
    if (awake !== undefined && awake.child.exitCode === null && awake.child.signalCode === null) return awake;
    const instance = all.size + 1;
    const woken = { instance, ...start(stem, { server: urlOf(instance), controllerNamespace, say }), run: 0 };
    all.set(instance, woken);
    living.set(stem, woken);
    return woken;
  };
  const killAll = (): void => {
    for (const { child } of all.values()) child.kill('SIGKILL');
  };
  process.once('exit', killAll);
  return {
    invoke: (due) => {
      runs += 1;
      const awake = wake(due.stem);
      awake.run = runs;
      const reply = post(awake, due).then((answer) => {
        if (answer?.status === 503 && answer.body.includes('not done within')) living.delete(due.stem);
        return answer;
      });
      return { run: runs, reply };
    },
    onCrash: (instance) => void all.get(instance)?.child.kill('SIGKILL'),
    runOf: (instance) => all.get(instance)?.run ?? 0,
    stop: async () => {
      await Promise.all([...all.values()].map(({ child }) => end(child)));
      process.removeListener('exit', killAll);
    },
  };
}

function start(
  stem: Stem,
  {
    server,
    controllerNamespace,
    say,
  }: Pick<InProcessParts, 'controllerNamespace' | 'say'> & { readonly server: string },
): Pick<Process, 'child' | 'url'> {
  const env = {
    API_SERVER_URL: server,
    CONTROLLER_NAMESPACE: controllerNamespace,
    PORT: '0',
    TUNNEL_TIMEOUT_MS: '0',
    NODE_NO_WARNINGS: '1',
  };
  const child = spawn(process.execPath, ['packages/start/function.ts', stem], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: '.knudge/compile-cache', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      say(chunk.toString());
    });
  }
  const portOf = (): string | undefined => /"port":(\d+)/.exec(log)?.[1];
  const listening = until(`${stem} listens`, async () => portOf() !== undefined || log, 90);
  return { child, url: listening.then(() => `http://127.0.0.1:${portOf() ?? ''}/`) };
}

/** The answer of the process; undefined where it died over the event. */
async function post({ child, url }: Process, { delivery }: Due<Stem>): Promise<Reply> {
  try {
    const { headers, body } = delivery;
    const response = await fetch(await url, { method: 'POST', headers, body: new Uint8Array(body) });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  } catch (error) {
    if (child.signalCode === 'SIGKILL' || child.killed) return undefined;
    throw error;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // A process that ends by SIGTERM keeps what it compiled for those that come after it.
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await exited;
  clearTimeout(timer);
}

const patienceMs = 3000;
