import type { Argument, Command, Option } from 'commander';

/** What may stand at a place of the command line. */
export type Value =
  | { readonly of: 'words'; readonly words: readonly string[] }
  | { readonly of: 'files' | 'folders' | 'anything' };

export interface OptionShape {
  /** `--dir`, and `-h` where there is one. */
  readonly flags: readonly string[];
  readonly description: string;
  /** What may follow the option; an option without it takes no value. */
  readonly value?: Value;
}

/** A command as the completion of a shell needs it. */
export interface Shape {
  /** The words that lead to it, without `knudge`: `events list`. */
  readonly path: string;
  readonly names: readonly string[];
  readonly description: string;
  readonly options: readonly OptionShape[];
  readonly values: readonly Value[];
  readonly commands: readonly Shape[];
}

/** Everything that Commander knows of a program, in the form that the completions need. */
export function shapeOf(command: Command, path = ''): Shape {
  const help = command.createHelp();
  const visible = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  return {
    path,
    names: [command.name(), ...command.aliases()],
    description: command.description(),
    options: help.visibleOptions(command).map(optionShape),
    values: command.registeredArguments.map(argumentValue),
    commands: visible.map((one) => shapeOf(one, path === '' ? one.name() : `${path} ${one.name()}`)),
  };
}

/** A command and all below it. */
export function allBelow(shape: Shape): readonly Shape[] {
  return [shape, ...shape.commands.flatMap(allBelow)];
}

function optionShape({ long, short, description, argChoices, required, optional, flags }: Option): OptionShape {
  const found = [long, short].filter((flag): flag is string => flag !== undefined && flag !== null);
  if (!required && !optional) return { flags: found, description };
  return { flags: found, description, value: choiceOf(argChoices, /<(.*)>/.exec(flags)?.[1] ?? '') };
}

function argumentValue(argument: Argument): Value {
  return choiceOf(argument.argChoices, argument.name());
}

/** The sort of value, by the name of the argument, which people read too. */
function choiceOf(choices: readonly string[] | undefined, name: string): Value {
  if (choices !== undefined) return { of: 'words', words: choices };
  if (name === 'file') return { of: 'files' };
  return { of: name === 'folder' ? 'folders' : 'anything' };
}
