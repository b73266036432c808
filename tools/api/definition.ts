import { passedOn } from './entry.ts';

/** Where a public name is defined. */
export interface Definition {
  readonly lines: readonly string[];
  /** The place of its first line, behind its docstring. */
  readonly at: number;
  /** The docstring without its stars, a line for each; none where it has none. */
  readonly doc: readonly string[];
}

/** Finds a name by the files that pass it on. `read` gives the text of a file, as source or as declarations. Throws where it is nowhere. */
export function definitionOf(read: (path: string) => string, path: string, name: string): Definition {
  const text = read(path);
  const origin = passedOn(path, text, name);
  if (origin !== undefined) return definitionOf(read, origin, name);
  const lines = text.split('\n');
  const defining = new RegExp(`^export (?:declare |async )*(?:function\\*?|class|interface|type|const) ${name}\\b`);
  const at = lines.findIndex((line) => defining.test(line));
  if (at < 0) throw new Error(`${path} defines no ${name}: correct the entry file that exports it`);
  return { lines, at, doc: docBefore(lines, at) };
}

/** The declaration as the compiler has written it into a file of declarations, with two spaces for each level. */
export function declarationIn({ lines, at }: Definition): string {
  const isBlock = /^export (?:declare )?(?:class|interface) /.test(lines[at] ?? '');
  const isEnd = (line: string) => (isBlock ? line.startsWith('}') : /^\S.*;$/.test(line) && !line.startsWith('/**'));
  const length = lines.slice(at).findIndex(isEnd) + 1;
  return lines
    .slice(at, at + length)
    .map((line) => line.replace(/^ +(?! \*)/, (spaces) => ' '.repeat(Math.ceil(spaces.length / 2))).trimEnd())
    .join('\n')
    .replace(/^export (?:declare )?/, '');
}

function docBefore(lines: readonly string[], at: number): readonly string[] {
  if (lines[at - 1]?.endsWith('*/') !== true) return [];
  const begin = lines.slice(0, at).findLastIndex((line) => line.startsWith('/**'));
  return lines
    .slice(begin, at)
    .map((line) => line.replace(/^(?:\/\*\*| \*(?!\/))? ?/, '').replace(/ ?\*\/$/, ''))
    .join('\n')
    .trim()
    .split('\n');
}
