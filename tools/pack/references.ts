import { posix } from 'node:path';

/** Another file that a line of code names. */
export interface Reference {
  /** `import` by any syntax; `file` by `new URL('…', import.meta.url)` or `join(import.meta.dirname, '…')`. */
  readonly kind: 'import' | 'file';
  /** As it is written: relative, or the name of a package. */
  readonly specifier: string;
}

const importing = /(?<=\bfrom\s*|\bimport\s*\(\s*|^\s*import\s*)(['"`])([^'"`\n]+)\1/g;
const addressing = /(?<=\bnew URL\(\s*)(['"`])([^'"`\n]+)\1(?=,\s*import\.meta\.url\b)/g;
const joining = /(?<=\bimport\.meta\.dirname,\s*)(['"`])([^'"`\n]+)\1/g;

const comment = /^\s*(?:\/\/|\*|\/\*)/;

/** What the code names. Comments are left out: their examples may name anything. */
export function referencesIn(text: string): readonly Reference[] {
  const found: Reference[] = [];
  replaceReferences(text, (reference) => {
    found.push(reference);
    return reference.specifier;
  });
  return found;
}

/** The code with other specifiers. */
export function replaceReferences(text: string, specifierOf: (reference: Reference) => string): string {
  const replacing =
    (kind: Reference['kind']) =>
    (_: string, quote: string, specifier: string): string =>
      `${quote}${specifierOf({ kind, specifier })}${quote}`;
  return text
    .split('\n')
    .map((line) =>
      comment.test(line)
        ? line
        : line
            .replace(importing, replacing('import'))
            .replace(addressing, replacing('file'))
            .replace(joining, replacing('file')),
    )
    .join('\n');
}

/** The file that a reference names, from the root; undefined where it names a package or a module of Node. */
export function targetOf(path: string, { kind, specifier }: Reference): string | undefined {
  if (kind === 'import' && !/^\.{1,2}\//.test(specifier)) return undefined;
  return posix.join(posix.dirname(path), specifier);
}

/** Relative specifiers of TypeScript that code still has; compiled code must have none. */
export function survivingIn(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => !comment.test(line))
    .flatMap((line) => [...line.matchAll(/(['"`])((?:\.{1,2}\/|@knudge\/)[^'"`]*(?<!\.d)\.ts)\1/g)])
    .map(([, , specifier = '']) => specifier);
}
