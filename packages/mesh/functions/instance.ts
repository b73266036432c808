import { type ChildProcess, spawn } from 'node:child_process';
import { Agent } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** One process of a function. */
export interface Instance {
  readonly pid: number | undefined;
  /** Its port, as soon as it listens; rejects with its last lines if it ends before. */
  readonly listening: Promise<number>;
  /** Resolves as soon as the process is gone. */
  readonly exited: Promise<unknown>;
  /** Resolves shortly after that with how it ended and its last lines. */
  readonly ended: Promise<string>;
  readonly agent: Agent;
  /** Asks it to finish and end; kills it if that takes longer than the grace. Waits until it is gone. */
  leave(graceMs: number): Promise<void>;
}

export interface InstanceParts {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

const leash = new URL('./leash.ts', import.meta.url).href;

/** As many lines as a kubelet shows of a container that ended. */
const linesKept = 5;

/** Killed with the mesh: a mesh that ends at once cannot signal its functions, and a stopped or busy one would not notice. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a process of Node on a port of its own choice, for this machine alone. */
export function startInstance({ command: [program = '', ...args], env, onLine }: InstanceParts): Instance {
  const child = spawn(program, args, {
    env: {
      ...env,
      PORT: '0',
      LISTEN_ADDRESS: '127.0.0.1',
      NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --import=${leash}`.trim(),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C is for the mesh, which lets its functions finish.
    detached: true,
  });
  const last: string[] = [];
  const said = (line: string): void => {
    last.push(line);
    if (last.length > linesKept) last.shift();
    onLine(line);
  };
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const lines = Promise.all([linesOf(child.stdout, said), linesOf(child.stderr, said)]);
  running.add(child);
  const exited = exitOf(child);
  const ended = exited.then((how) => withLines(how, lines, last));
  const listening = portOf(child, ended);
  listening.catch(() => undefined);
  void exited.then(() => {
    running.delete(child);
    agent.destroy();
  });
  const leave = async (graceMs: number): Promise<void> => {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(kill);
  };
  return { pid: child.pid, listening, exited, ended, agent, leave };
}

/** Resolves when the stream has ended. */
function linesOf(stream: Readable | null, onLine: (line: string) => void): Promise<void> {
  if (stream === null) return Promise.resolve();
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', onLine);
  return new Promise((resolve) => lines.once('close', resolve));
}

/** Milliseconds to wait for the last lines, because a grandchild may keep the pipes open. */
const patienceForLines = 200;

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`),
    );
  });
}

async function withLines(how: string, lines: Promise<unknown>, last: readonly string[]): Promise<string> {
  const patience = new Promise((resolve) => setTimeout(resolve, patienceForLines));
  await Promise.race([lines, patience]);
  return last.length === 0 ? how : `${how}: ${last.join(' | ')}`;
}

function portOf(child: ChildProcess, ended: Promise<string>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (isListening(message)) resolve(message.listening);
    });
    void ended.then((why) => reject(new Error(why)));
  });
}

function isListening(message: unknown): message is { readonly listening: number } {
  return typeof message === 'object' && message !== null && 'listening' in message;
}
