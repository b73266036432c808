import { Command } from 'commander';
import { version } from './about.ts';
import { commandsFor } from './commands.ts';
import { strict } from './leaf.ts';
import { tellFailure } from './tell-failure.ts';

const program = strict(new Command('knudge'))
  .description('A Kubernetes controller that sleeps until it is nudged')
  .version(version);
const [asked = ''] = process.argv.slice(2);
for (const command of await commandsFor(asked)) program.addCommand(command);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tellFailure(error, process.argv.includes('--json'));
}
