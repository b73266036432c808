import { enableCompileCache, flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Mesh } from '../packages/mesh/mesh.ts';
import { root, version } from './about.ts';
import { type AnswerOptions, consoleAnswers } from './console/answers.ts';
import { shower } from './dev-screen.ts';
import { exitCodes } from './exit-codes.ts';
import { type Common, leaf, namespaceOption, portUpTo, seconds, usageError } from './leaf.ts';
import { tellFailure } from './tell-failure.ts';
import { findPrograms, trafficAt } from './traffic.ts';
import { untilSignal } from './until-signal.ts';

interface Options extends Common {
  readonly port: number;
  readonly dir: string;
  readonly data?: string;
  readonly kubeconfig?: string;
  readonly overlay?: string;
  readonly examples?: boolean;
  readonly traffic?: boolean;
  readonly idle?: number;
  readonly quiet?: boolean;
  readonly all?: boolean;
  readonly reload: boolean;
  readonly console: boolean;
  readonly open?: boolean;
}

/** `knudge dev`: the whole controller on this machine, until Ctrl-C. */
export function devCommand(): Command {
  return leaf('dev', 'run the controller on this machine, from the manifests that are deployed')
    .alias('start')
    .option(
      '--port <number>',
      'first port: API server, then Broker, then functions; 0: any free ports',
      portUpTo(65_000),
      8300,
    )
    .option('--dir <folder>', 'the folder for everything that the mesh writes', '.knudge')
    .option(
      '--data <folder>',
      'keep the objects of the embedded API in this folder; without it they are lost at the end',
    )
    .option('--kubeconfig <file>', 'use this cluster instead of the embedded API; nothing is installed in it')
    .option('--overlay <name>', 'a folder of deploy/overlays to run')
    .option('--examples', 'apply examples/ after the start')
    .option('--traffic', 'run an FRP server, the tunnels and three backends as processes, so that requests pass')
    .option('--idle <seconds>', 'put a function to sleep after this time, instead of the one in its manifest', seconds)
    .option('--no-reload', 'follow no change of manifests, Triggers, sources and code while it runs')
    .option('--no-console', 'serve no console')
    .option('--open', 'open the console in the browser')
    .option('--quiet', 'print only addresses and problems')
    .option('--all', 'print a line for each event, also where nothing was to do, instead of their number')
    .action(dev);
}

/** Milliseconds to wait for the end: a client may keep a connection open for ever. */
const longestEnd = 12_000;

/** Milliseconds after which the first events are over. */
const untilCalm = 2000;

async function dev(options: Options): Promise<void> {
  // Every file of the mesh and of its functions may hold tokens, events or objects: no other user may read them.
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
    if (options.traffic && options.kubeconfig !== undefined) {
      throw usageError('--traffic runs Pods of the embedded API: leave out --kubeconfig');
    }
    const programs = options.traffic ? await findPrograms() : undefined;
    // Before the mesh: with --data, its old Services listen at their ports again.
    const traffic = programs && (await trafficAt(options.port));
    // Does nothing unless node_modules cannot be written.
    const cache = join(resolve(options.dir), 'compile-cache');
    if (enableCompileCache(cache).directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= cache;
    const { startMesh } = await import('../packages/mesh/mesh.ts');
    const given = { ...meshOptions(options), ...(programs && { programs }), version, report: show.hop };
    const { answers } = consoleAnswers(answersFor(options));
    mesh = await startMesh({ ...given, answers });
    show.ready(mesh.state);
    if (options.open) void openConsole(mesh.state.console);
    // Written early, because the mesh may be killed later.
    setTimeout(flushCompileCache, untilCalm).unref();
    if (options.examples) await applyExamples(mesh);
    if (traffic) await mesh.apply?.(traffic.objects).then(() => show.line(traffic.sentence));
    await signal;
    await Promise.race([mesh.close(), sleep(longestEnd)]);
    process.exit(exitCodes.done);
  } catch (error) {
    const code = tellFailure(error, options.json === true);
    await mesh?.close();
    process.exit(code);
  }
}

async function openConsole(url: string | null): Promise<void> {
  const { openInBrowser } = await import('./open-browser.ts');
  const why = url === null ? 'This mesh serves no console that --open could open' : await openInBrowser(url);
  if (why !== undefined) console.error(why);
}

async function applyExamples(mesh: Mesh): Promise<void> {
  const { readExamples } = await import('../packages/mesh/examples.ts');
  await mesh.apply?.(readExamples(root));
}

/** Those of this mesh, also if its objects are in a cluster. */
export function answersFor({ dir, overlay }: Pick<Options, 'dir' | 'overlay'>): AnswerOptions {
  return { dir, namespace: namespaceOption().defaultValue as string, ...(overlay !== undefined && { overlay }) };
}

function meshOptions({ port: firstPort, dir, data, kubeconfig, overlay, idle, reload, console }: Options) {
  return {
    root,
    dir: resolve(dir),
    ...(data !== undefined && { dataDir: resolve(data) }),
    ...(kubeconfig !== undefined && { kubeconfig: resolve(kubeconfig) }),
    ...(overlay !== undefined && { overlay }),
    ...(idle !== undefined && { idleSeconds: idle }),
    ...(!console && { noConsole: true }),
    firstPort,
    reload,
    env: environment(process.env),
  };
}

/** The variables of this shell that a function may see; the mesh adds the cluster's address and the function's account. */
function environment(all: NodeJS.ProcessEnv): Record<string, string> {
  const ours = /^(KUBECONFIG|KUBERNETES_.*|API_SERVER_.*|PORT|K_.*|npm_.*)$/;
  return Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined && !ours.test(pair[0])),
  );
}
