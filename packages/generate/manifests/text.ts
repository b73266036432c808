import type { Project } from '../project.ts';

/** What every file that is made begins with, and what distinguishes it from those that people write. */
export function headOf({ commands }: Pick<Project, 'commands'>): string {
  return `# Made by \`${commands.manifests}\` from functions/, crds/ and the resources: change those, not this file.\n`;
}

/** Whether a file was made, whatever the command was called then. */
export function isMade(text: string): boolean {
  return /^# Made by `[^`]+` from functions\/, crds\/ and the resources: change those, not this file\.\n/.test(text);
}

/** Each line that is not empty, further in. */
export function indented(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}

/** Lines of a comment, each ended. */
export function comment(says: readonly string[] = []): string {
  return says.map((line) => `# ${line}\n`).join('');
}

/** A list in one line, as YAML. */
export function inLine(items: readonly string[]): string {
  return `[${items.map((item) => (item === '' ? "''" : item)).join(', ')}]`;
}

/** A list with a line for each, as YAML. */
export function listed(items: readonly string[]): string {
  return items.map((item) => `- ${item}\n`).join('');
}

/** Words in lines of at most this many characters, for a folded scalar. */
export function folded(text: string, most = 118): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}
