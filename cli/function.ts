import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Command } from 'commander';
import { root } from './about.ts';
import { leaf, stemArgument } from './leaf.ts';

/** `knudge function`: one function in a process of its own, as the mesh starts it. */
export function functionCommand(): Command {
  return leaf('function', 'run one function on PORT until it is told to end; what it needs comes from the environment')
    .addArgument(stemArgument())
    .action(runFunction);
}

async function runFunction(stem: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'functions/start/function.ts'), stem], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both; a function that is told twice is leaving already.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
