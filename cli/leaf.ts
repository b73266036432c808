import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { controllerIn } from '../packages/start/controller-in.ts';
import { root } from './about.ts';

/** The options that every subcommand takes. */
export interface Common {
  /** Prints for programs: JSON, one object a line. */
  readonly json?: boolean;
}

/** A subcommand with --json. Its failures are thrown; cli/tell-failure.ts reports them. */
export function leaf(name: string, description: string): Command {
  return strict(new Command(name))
    .description(description)
    .option('--json', 'print JSON, one object a line, for programs');
}

/** A command that only groups subcommands, which have the options. */
export function group(name: string, description: string, leaves: readonly Command[]): Command {
  const command = strict(new Command(name)).description(description);
  for (const one of leaves) command.addCommand(one);
  return command.addHelpText('after', '\nEach of them takes --json; --help shows its options.');
}

/** Makes Commander throw instead of ending the process or printing errors; it prints only help. */
export function strict(command: Command): Command {
  return command.exitOverride().configureOutput({ outputError: () => {} });
}

/** The option for the folder of a mesh on this machine. */
export function dirOption(): Option {
  return new Option('--dir <folder>', 'the folder of the mesh on this machine').default('.knudge');
}

export function kubeconfigOption(): Option {
  return new Option('--kubeconfig <file>', 'use this cluster instead of the mesh in --dir');
}

/** The token for a function that asks for one, as those of a cluster do for a dry run. */
export function functionTokenOption(): Option {
  return new Option('--function-token <token>', 'the token for a function that asks for one').env(
    'KNUDGE_FUNCTION_TOKEN',
  );
}

/** The namespace of a project's controller. Its Broker says so too, which is read without loading all functions. */
function homeIn(folder: string): string {
  const broker = join(folder, 'eventing/broker.yaml');
  const text = existsSync(broker) ? readFileSync(broker, 'utf8') : '';
  return /^ {2}namespace: (\S+)$/m.exec(text)?.[1] ?? 'knudge';
}

export function namespaceOption(): Option {
  return new Option('--namespace <name>', 'the namespace of the controller in the cluster').default(homeIn(root));
}

/** The argument for the stem of a function. */
export function stemArgument(): Argument {
  return new Argument('<stem>', 'the function').choices(Object.keys(controllerIn(root).functions).sort());
}

/** Parses `default/hello` into the namespace and name of an object; undefined if the text has another form. */
export function placeIn(text: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] =
    /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/.exec(text) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** A usage error that only the command itself can find. */
export function usageError(message: string): CommanderError {
  return new CommanderError(2, 'knudge.usage', message);
}

/** Parses options in seconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Give a number of seconds above 0.');
}

/** Parses options that are whole numbers from 1. */
export function wholeUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  };
}

/** Parses options that are ports; 0 stands for any free one. */
export function portUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number up to ${most}.`);
  };
}

export function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Parses options that are addresses. */
export function httpAddress(text: string): string {
  if (isHttpAddress(text)) return text;
  throw new InvalidArgumentError('Give an address such as http://127.0.0.1:8301/knudge/knudge.');
}
