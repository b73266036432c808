import { resolve } from 'node:path';
import type { Command } from 'commander';
import { KnudgeError } from '../packages/controller/domain/errors.ts';
import type { ConsoleServer } from '../packages/mesh/console/serve-console.ts';
import { portProblem } from '../packages/mesh/ports.ts';
import { readState } from '../packages/mesh/state.ts';
import type { AnswerOptions } from './console/answers.ts';
import { type KeptForward, keepForward } from './console/keep-forward.ts';
import { addressOf, pageOf } from './console/page.ts';
import { leaf, portUpTo } from './leaf.ts';
import { forwardOf, withLog } from './open-log.ts';
import { show } from './show.ts';
import { untilSignal } from './until-signal.ts';

interface Options extends AnswerOptions {
  readonly port: number;
  readonly open?: boolean;
}

/** `knudge console`: the address of the console of a mesh; for a cluster it serves the console on this machine until Ctrl-C. */
export function consoleCommand(): Command {
  return withLog(leaf('console', 'print the address of the console; for a cluster, serve it on this machine'))
    .option('--overlay <name>', 'the folder of deploy/overlays that was installed')
    .argument('[page]', 'the page to begin with, such as events/129', pageOf)
    .option('--port <number>', 'for a cluster, the port of this machine; 0: any free one', portUpTo(65_535), 0)
    .option('--open', 'open it in the browser')
    .action((page: string | undefined, options: Options) =>
      options.kubeconfig === undefined ? ofMesh(page, options) : ofCluster(page, options),
    );
}

async function ofMesh(page: string | undefined, options: Options): Promise<void> {
  const { console: url } = readState(resolve(options.dir));
  if (url === null) {
    const advice = 'start it without --no-console, with the event log in its manifests';
    throw new KnudgeError('unavailable', `The mesh in ${resolve(options.dir)} serves no console: ${advice}`);
  }
  await present(addressOf(url, page), options);
}

async function ofCluster(page: string | undefined, options: Options): Promise<void> {
  const forward = await keepForward(() => forwardOf(options));
  try {
    const server = await serveLogConsole(forward, options);
    await present(addressOf(server.url(), page), options);
    await untilSignal(process, process.exit);
    await server.close();
  } finally {
    await forward.close();
  }
}

/** Serves the console of a cluster on this machine: the event log gets the person's token, and decides what they may. */
export async function serveLogConsole(
  { url: upstream, token, again: onAway }: Omit<KeptForward, 'close'>,
  options: AnswerOptions & Pick<Options, 'port'>,
): Promise<ConsoleServer> {
  // Imported here because they load a server, and the commands whose answers it gives.
  const { serveConsole } = await import('../packages/mesh/console/serve-console.ts');
  const { consoleAnswers } = await import('./console/answers.ts');
  const { answers, close } = consoleAnswers(options);
  try {
    const server = await serveConsole({ upstream, token, onAway, port: options.port, own: answers });
    return { ...server, close: async () => void (await Promise.all([server.close(), close()])) };
  } catch (error) {
    throw portProblem(error);
  }
}

async function present(url: string, { open, json }: Options): Promise<void> {
  show({ console: url }, () => url, { ...(json && { json }) });
  if (!open) return;
  const { openInBrowser } = await import('./open-browser.ts');
  const why = await openInBrowser(url);
  if (why !== undefined) console.error(why);
}
