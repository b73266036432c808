import type { Command } from 'commander';

interface Row {
  /** What it is called at the prompt. */
  readonly names: readonly string[];
  readonly load: () => Promise<Command>;
}

/** What completes a command line knows all commands, so it never comes alone. */
const toldOfAll = 'completion';

/** Every subcommand, in the order of the help. Each is a file of its own, which is loaded when it is needed. */
const commands: readonly Row[] = [
  { names: ['dev', 'start'], load: async () => (await import('./dev.ts')).devCommand() },
  { names: ['function'], load: async () => (await import('./function.ts')).functionCommand() },
  { names: ['invoke'], load: async () => (await import('./invoke.ts')).invokeCommand() },
  { names: ['resync'], load: async () => (await import('./resync.ts')).resyncCommand() },
  { names: ['reconcile'], load: async () => (await import('./reconcile.ts')).reconcileCommand() },
  { names: ['events'], load: async () => (await import('./events.ts')).eventsCommand() },
  { names: ['dead-letters'], load: async () => (await import('./dead-letters.ts')).deadLettersCommand() },
  { names: ['replay'], load: async () => (await import('./replay.ts')).replayCommand() },
  { names: ['shadow'], load: async () => (await import('./shadow.ts')).shadowCommand() },
  { names: ['map'], load: async () => (await import('./map.ts')).mapCommand() },
  { names: ['doctor'], load: async () => (await import('./doctor.ts')).doctorCommand() },
  { names: [toldOfAll], load: async () => (await import('./completion.ts')).completionCommand() },
  { names: ['version'], load: async () => (await import('./version.ts')).versionCommand() },
];

/** The one subcommand that is asked for, or all: for the help, and where there is no such one. */
export function commandsFor(asked: string): Promise<readonly Command[]> {
  const one = commands.filter(({ names }) => names.includes(asked) && asked !== toldOfAll);
  return Promise.all((one.length > 0 ? one : commands).map(({ load }) => load()));
}
