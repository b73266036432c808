import { textOf } from '../house/files.ts';

/** The commands of a section of a document, a text for each of its blocks, in their order. */
export function commandsIn(path: string, section: string): readonly string[] {
  const parts = textOf(path).split(/^#+ (.*)$/m);
  const text = parts[parts.indexOf(section) + 1];
  if (!parts.includes(section) || text === undefined) throw new Error(`${path} has no section "${section}"`);
  return [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = '']) => block);
}
