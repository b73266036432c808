import { enableCompileCache, flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Hop } from '../packages/mesh/hop.ts';
import type { Mesh } from '../packages/mesh/mesh.ts';
import { lineOf } from '../packages/mesh/screen.ts';
import type { MeshState } from '../packages/mesh/state.ts';
import { root, version } from './about.ts';
import { exitCodes } from './exit-codes.ts';
import { type Common, leaf, seconds, usageError } from './leaf.ts';
import { styleOf } from './show.ts';
import { tellFailure } from './tell-failure.ts';
import { untilSignal } from './until-signal.ts';

interface Options extends Common {
  readonly port: number;
  readonly dir: string;
  readonly data?: string;
  readonly kubeconfig?: string;
  readonly overlay?: string;
  readonly examples?: boolean;
  readonly idle?: number;
  readonly quiet?: boolean;
}

/** `knudge dev`: the whole controller on this machine, until Ctrl-C. */
export function devCommand(): Command {
  return leaf('dev', 'run the controller on this machine, from the manifests that are deployed')
    .alias('start')
    .option('--port <number>', 'first port: API server, then Broker, then functions; 0: any free ones', port, 8300)
    .option('--dir <folder>', 'for everything that is written', '.knudge')
    .option('--data <folder>', 'keep the objects of the embedded API there; without it they are gone at the end')
    .option('--kubeconfig <file>', 'a cluster instead of the embedded API; nothing is installed in it')
    .option('--overlay <name>', 'a folder of deploy/overlays')
    .option('--examples', 'apply examples/ after the start')
    .option('--idle <seconds>', 'when a function sleeps, instead of what its manifest says', seconds)
    .option('--quiet', 'addresses and trouble only')
    .action(dev);
}

function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_000) return value;
  throw new InvalidArgumentError('It is a whole number up to 65000.');
}

/** Milliseconds: somebody may keep a connection open for ever. */
const longestEnd = 12_000;

/** Milliseconds: the first events have been by then. */
const untilCalm = 2000;

async function dev(options: Options): Promise<void> {
  // Tokens, events and objects are nobody else's: this is for every file of the mesh, and for those of its functions.
  process.umask(0o077);
  const leaving = { now: false };
  const signal = untilSignal(process, process.exit).then(() => {
    leaving.now = true;
  });
  const show = shower(options, leaving);
  let mesh: Mesh | undefined;
  try {
    if (options.examples && options.kubeconfig !== undefined) {
      throw usageError('--examples would write to the cluster of --kubeconfig: kubectl apply -f examples does it');
    }
    // Does nothing but where node_modules cannot be written.
    const cache = join(resolve(options.dir), 'compile-cache');
    if (enableCompileCache(cache).directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= cache;
    const { startMesh } = await import('../packages/mesh/mesh.ts');
    mesh = await startMesh({ ...meshOptions(options), version, report: show.hop });
    show.ready(mesh.state);
    // Before somebody kills it.
    setTimeout(flushCompileCache, untilCalm).unref();
    if (options.examples) await applyExamples(mesh);
    await signal;
    await Promise.race([mesh.close(), sleep(longestEnd)]);
    process.exit(exitCodes.done);
  } catch (error) {
    const code = tellFailure(error, options.json === true);
    await mesh?.close();
    process.exit(code);
  }
}

async function applyExamples(mesh: Mesh): Promise<void> {
  const { readExamples } = await import('../packages/mesh/examples.ts');
  await mesh.apply?.(readExamples(root));
}

function meshOptions({ port: firstPort, dir, data, kubeconfig, overlay, idle }: Options) {
  return {
    root,
    dir: resolve(dir),
    ...(data !== undefined && { dataDir: resolve(data) }),
    ...(kubeconfig !== undefined && { kubeconfig: resolve(kubeconfig) }),
    ...(overlay !== undefined && { overlay }),
    ...(idle !== undefined && { idleSeconds: idle }),
    firstPort,
    env: environment(process.env),
  };
}

/** What a function may see of this shell; where the cluster is and who it is says the mesh. */
function environment(all: NodeJS.ProcessEnv): Record<string, string> {
  const ours = /^(KUBECONFIG|KUBERNETES_.*|API_SERVER_.*|PORT|K_.*|npm_.*)$/;
  return Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined && !ours.test(pair[0])),
  );
}

interface Show {
  readonly hop: (hop: Hop) => void;
  readonly ready: (state: MeshState) => void;
}

function shower({ json, quiet }: Options, leaving: { readonly now: boolean }): Show {
  const print = printer();
  if (json) {
    return {
      hop: (hop) => print(JSON.stringify('event' in hop ? { ...hop, event: hop.event.attributes } : hop)),
      ready: (state) => print(JSON.stringify({ kind: 'ready', ...state })),
    };
  }
  const style = styleOf(process.stdout, process.env);
  let isUp = false;
  return {
    hop: (hop) => {
      // What the sources let go at the end is with the Broker.
      const isUsual = leaving.now ? hop.kind === 'lost' : !isUp && beforeIsUp.has(hop.kind);
      const line = isUsual || (quiet && !trouble.has(hop.kind)) ? undefined : lineOf(hop, style);
      if (line !== undefined) print(line);
    },
    ready: (state) => {
      isUp = true;
      print(addresses(state));
    },
  };
}

/** Milliseconds: nobody sees so short a wait. */
const linesTogether = 10;

/** Lines of a moment in one write: each write to a pipe or a screen holds up everything else. */
function printer(): (line: string) => void {
  let waiting: string[] = [];
  const flush = (): void => {
    if (waiting.length > 0) console.log(waiting.join('\n'));
    waiting = [];
  };
  process.once('exit', flush);
  return (line) => {
    if (waiting.length === 0) setTimeout(flush, linesTogether);
    waiting.push(line);
  };
}

/** What starting is made of. */
const beforeIsUp: ReadonlySet<Hop['kind']> = new Set(['watching', 'woke']);

const trouble: ReadonlySet<Hop['kind']> = new Set(['lost', 'dead-lettered', 'dropped', 'crashed', 'warning', 'blind']);

function addresses({ apiServer, kubeconfig, broker, functions }: MeshState): string {
  const rows = [
    ['Kubernetes API', `${apiServer}   export KUBECONFIG=${quoted(kubeconfig)}`],
    ['Broker', broker],
    ...Object.entries(functions),
  ];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return ['Knudge is up; Ctrl-C ends it.', ...rows.map(([name = '', at]) => `  ${name.padEnd(width)}  ${at}`)].join(
    '\n',
  );
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w./:@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
