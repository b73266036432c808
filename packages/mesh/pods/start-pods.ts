import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { KnudgeError } from '../../controller/domain/errors.ts';
import type { Report } from '../hop.ts';
import type { MeshParts } from '../mesh-parts.ts';
import { nodeName } from './node-name.ts';
import type { Machine } from './program.ts';

/** What the process of the node is started with. */
export interface NodeOrders {
  readonly server: string;
  readonly token: string;
  readonly version: string;
  readonly machine: Machine;
  readonly folder: string;
  readonly places: Readonly<Record<string, string>>;
}

export type NodeSays =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'warning'; readonly text: string };

export interface PodsParts {
  readonly orders: Omit<NodeOrders, 'folder'>;
  /** The folder of the mesh. */
  readonly dir: string;
  readonly report: Report;
}

/** Where Pods have their folders. */
const podsIn = (dir: string): string => join(dir, 'pods');

/** What the embedded API knows of the node. */
export function nodeOf({ programs, dir }: Pick<MeshParts, 'programs' | 'dir'>) {
  return programs && { otherNode: { name: nodeName, programs: Object.keys(programs), folder: podsIn(dir) } };
}

/** The variables by which a function reaches Pods. */
export function functionsReachPods({ env }: Pick<MeshParts, 'env'>): Readonly<Record<string, string>> {
  const reach = new URL('./reach.ts', import.meta.url).href;
  return { NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --import=${reach}`.trim() };
}

/** Starts the node for the cluster of the mesh; does nothing if Pods are simulated. */
export async function startPodsOf(parts: MeshParts, { env, access, functions }: Reached): Promise<void> {
  const { programs, dir, version, report, closers, spec } = parts;
  if (programs === undefined) return;
  const places = Object.fromEntries(
    spec.functions.map(({ namespace, name }) => [
      `${name}.${namespace}`,
      (functions.get(name) ?? '').replace('http://', ''),
    ]),
  );
  const machine = { programs, path: parts.env['PATH'] ?? '' };
  const orders = { server: access.server, token: env['API_SERVER_TOKEN'] ?? '', version, machine, places };
  closers.push((await startPods({ orders, dir, report })).close);
}

interface Reached {
  readonly env: Readonly<Record<string, string>>;
  readonly access: { readonly server: string };
  /** Addresses of the functions. */
  readonly functions: ReadonlyMap<string, string>;
}

/** Milliseconds at the end for a Pod's own end; after that it is killed. */
const graceMs = 3000;

/** Starts the node of this machine in a process of its own; resolves when it runs its Pods. */
export async function startPods({ orders, dir, report }: PodsParts): Promise<{ close(): Promise<void> }> {
  const folder = podsIn(dir);
  // Of a mesh before.
  rmSync(folder, { recursive: true, force: true });
  const child = fork(new URL('./process.ts', import.meta.url), {
    // A group of its own: Ctrl-C is for the mesh, which lets the Pods end.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const killAtExit = (): void => void child.kill('SIGTERM');
  process.once('exit', killAtExit);
  const ended = once(child, 'exit');
  child.on('message', (said: NodeSays) => {
    if (said.kind === 'warning') report({ kind: 'warning', about: 'pods', text: said.text });
  });
  child.send({ ...orders, folder } satisfies NodeOrders);
  await isReady(child, ended);
  let isClosing = false;
  void ended.then(() => {
    if (!isClosing)
      report({ kind: 'warning', about: 'pods', text: 'the process that runs Pods has ended: start again' });
  });
  return {
    close: async () => {
      isClosing = true;
      process.off('exit', killAtExit);
      if (child.connected) child.send({ graceMs });
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isReady(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const said = new Promise<string | undefined>((resolve) => {
    child.on('message', (message: NodeSays) => {
      if (message.kind === 'ready') resolve(undefined);
      if (message.kind === 'failed') resolve(message.text);
    });
  });
  const why = await Promise.race([said, ended.then(() => 'its process has ended')]);
  if (why !== undefined) throw new KnudgeError('internal', `the node of this machine does not start: ${why}`);
}
