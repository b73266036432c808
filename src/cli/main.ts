import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { startCommand } from './start.ts';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { readonly version: string };

/** Every subcommand. */
const commands = [startCommand];

const program = new Command('knudge')
  .description('A Kubernetes controller that sleeps until it is nudged')
  .version(version)
  .showHelpAfterError();
for (const command of commands) program.addCommand(command(version));
await program.parseAsync();
