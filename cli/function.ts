import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { functionCommand as commandOf } from '../packages/start/command.ts';
import { root } from './about.ts';
import { leaf, stemArgument } from './leaf.ts';

/** `knudge function`: runs one function in its own process, as the mesh starts it. */
export function functionCommand(): Command {
  return leaf('function', 'run one function on PORT until a signal ends it; its settings come from the environment')
    .addArgument(stemArgument())
    .action(runFunction);
}

async function runFunction(stem: string): Promise<void> {
  const [program, ...args] = commandOf(stem, root);
  const child = spawn(program, args, { stdio: 'inherit', env: environment(process.env) });
  // A terminal sends Ctrl-C to both; a function that gets a signal twice is ending already.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}

/** On a machine of a person it listens on loopback; Knative sets K_SERVICE, and its probes come from elsewhere. */
export function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env['K_SERVICE'] === undefined ? { LISTEN_ADDRESS: '127.0.0.1', ...env } : env;
}
