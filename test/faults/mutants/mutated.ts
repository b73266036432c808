import type { Edit } from './mutant.ts';

/** The files that the edits change, by their paths, as they are afterwards. Throws where an edit does not fit. */
export function mutated(edits: readonly Edit[], read: (file: string) => string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { file, from, to } of edits) {
    const text = files.get(file) ?? read(file);
    const times = text.split(from).length - 1;
    if (times !== 1)
      throw new Error(`${file} has ${JSON.stringify(from)} ${times} times: the edit needs a place of its own`);
    if (from === to) throw new Error(`the edit of ${file} changes nothing`);
    files.set(
      file,
      text.replace(from, () => to),
    );
  }
  return files;
}
