import { Argument, type Command } from 'commander';
import { bashCompletion } from './completion/bash.ts';
import { fishCompletion } from './completion/fish.ts';
import { shapeOf } from './completion/shape.ts';
import { zshCompletion } from './completion/zsh.ts';
import { type Common, leaf } from './leaf.ts';
import { show } from './show.ts';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `knudge completion`: prints the completion script of a shell. */
export function completionCommand(): Command {
  const command = leaf('completion', 'print what a shell needs to complete these commands');
  return command
    .addArgument(new Argument('<shell>').choices(Object.keys(shells)))
    .action((shell: keyof typeof shells, options: Common) => {
      const script = shells[shell](shapeOf(command.parent ?? command));
      show({ shell, script }, () => script.trimEnd(), options);
    });
}
