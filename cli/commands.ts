import type { Command } from 'commander';

interface Row {
  /** Its name and its aliases at the prompt. */
  readonly names: readonly string[];
  readonly load: () => Promise<Command>;
}

/** `completion` needs the options of all commands, so it is never loaded alone. */
const toldOfAll = 'completion';

/** Every subcommand, in the order of the help. Each is a file of its own that is loaded only when it is needed. */
const commands: readonly Row[] = [
  { names: ['dev', 'start'], load: async () => (await import('./dev.ts')).devCommand() },
  { names: ['new'], load: async () => (await import('./new.ts')).newCommand() },
  { names: ['function'], load: async () => (await import('./function.ts')).functionCommand() },
  { names: ['invoke'], load: async () => (await import('./invoke.ts')).invokeCommand() },
  { names: ['resync'], load: async () => (await import('./resync.ts')).resyncCommand() },
  { names: ['reconcile'], load: async () => (await import('./reconcile.ts')).reconcileCommand() },
  { names: ['console'], load: async () => (await import('./console.ts')).consoleCommand() },
  { names: ['events'], load: async () => (await import('./events.ts')).eventsCommand() },
  { names: ['history'], load: async () => (await import('./history.ts')).historyCommand() },
  { names: ['dead-letters'], load: async () => (await import('./dead-letters.ts')).deadLettersCommand() },
  { names: ['replay'], load: async () => (await import('./replay.ts')).replayCommand() },
  { names: ['shadow'], load: async () => (await import('./shadow.ts')).shadowCommand() },
  { names: ['map'], load: async () => (await import('./map.ts')).mapCommand() },
  { names: ['generate'], load: async () => (await import('./generate.ts')).generateCommand() },
  { names: ['status'], load: async () => (await import('./status.ts')).statusCommand() },
  { names: ['image'], load: async () => (await import('./image.ts')).imageCommand() },
  { names: ['doctor'], load: async () => (await import('./doctor.ts')).doctorCommand() },
  { names: [toldOfAll], load: async () => (await import('./completion.ts')).completionCommand() },
  { names: ['version'], load: async () => (await import('./version.ts')).versionCommand() },
];

/** The subcommand that was asked for; all of them for the help or when the name is unknown. */
export function commandsFor(asked: string): Promise<readonly Command[]> {
  const one = commands.filter(({ names }) => names.includes(asked) && asked !== toldOfAll);
  return Promise.all((one.length > 0 ? one : commands).map(({ load }) => load()));
}
