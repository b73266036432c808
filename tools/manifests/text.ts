/** What every file that is made begins with, and what tells it from those that people write. */
export const head =
  '# Made by `npm run manifests` from functions/, crds/ and the resources: change those, not this file.\n';

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
