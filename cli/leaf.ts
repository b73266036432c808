import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { stemsIn } from '../packages/mesh/stems.ts';
import { root } from './about.ts';

/** What every subcommand can be told. */
export interface Common {
  /** For programs: JSON, one object a line. */
  readonly json?: boolean;
}

/** A subcommand: what goes wrong is thrown, and told in one place; --json is there already. */
export function leaf(name: string, description: string): Command {
  return strict(new Command(name)).description(description).option('--json', 'for programs: JSON, one object a line');
}

/** A command of several subcommands, which have the options. */
export function group(name: string, description: string, leaves: readonly Command[]): Command {
  const command = strict(new Command(name)).description(description);
  for (const one of leaves) command.addCommand(one);
  return command.addHelpText('after', '\nEach of them takes --json, and tells its options by --help.');
}

/** Commander neither ends the process nor says anything but help. */
export function strict(command: Command): Command {
  return command.exitOverride().configureOutput({ outputError: () => {} });
}

/** The folder of a mesh on this machine. */
export function dirOption(): Option {
  return new Option('--dir <folder>', 'of the mesh on this machine').default('.knudge');
}

export function kubeconfigOption(): Option {
  return new Option('--kubeconfig <file>', 'a cluster instead of the mesh of --dir');
}

/** What a function is shown that asks for a token, as those of a cluster do for a dry run. */
export function functionTokenOption(): Option {
  return new Option('--function-token <token>', 'for a function that asks for one').env('KNUDGE_FUNCTION_TOKEN');
}

export function namespaceOption(): Option {
  return new Option('--namespace <name>', 'where Knudge is in the cluster').default('knudge');
}

/** The stem of a function. */
export function stemArgument(): Argument {
  return new Argument('<stem>', 'of the function').choices(stemsIn(root));
}

/** `default/hello` as the namespace and name of an object; undefined where it is none. */
export function placeIn(text: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] =
    /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/.exec(text) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** Wrong usage that only the command itself can see. */
export function usageError(message: string): CommanderError {
  return new CommanderError(2, 'knudge.usage', message);
}

/** For options in seconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('It is a number of seconds above 0.');
}

/** For options that are whole numbers from 1. */
export function wholeUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`It is a whole number from 1 to ${most}.`);
  };
}

/** For options that are addresses. */
export function httpAddress(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('It is an address such as http://127.0.0.1:8301/knudge/knudge.');
}
