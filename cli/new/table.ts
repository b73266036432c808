import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';

export const tableFile = 'functions/table.ts';

interface Addition {
  /** The name of what is imported, and its file from the root. */
  readonly name: string;
  readonly from: string;
  /** The field of the definition, and what is added at its end. */
  readonly field: 'resources' | 'functions';
  readonly text: string;
}

/**
 * functions/table.ts of a project with one more import and entry. Throws `misuse` if it has the name already, and with what to write by hand
 * if it has another form.
 */
export function tableWith(root: string, { name, from, field, text }: Addition): string {
  const before = readFileSync(join(root, tableFile), 'utf8');
  if (namesIn(before).includes(name))
    throw new KnudgeError('misuse', `${tableFile} has another \`${name}\` already: take another kind`);
  const specifier = posix.relative('functions', from);
  const path = specifier.startsWith('.') ? specifier : `./${specifier}`;
  const line = ['import', `{ ${name} }`, 'from', `'${path}';`].join(' ');
  const end = field === 'resources' ? ']' : '}';
  const entry = new RegExp(`^( +${field}: [[{])([^\\]}]*)(\\${end})`, 'm');
  const imports = [...before.matchAll(/^import .*;\n/gm)].at(-1);
  if (!entry.test(before) || imports === undefined) {
    throw new KnudgeError(
      'misuse',
      `${tableFile} has another form than this command knows: add \`${line}\`, and \`${text}\` to ${field}`,
    );
  }
  const at = imports.index + imports[0].length;
  return `${before.slice(0, at)}${line}\n${before.slice(at)}`.replace(entry, (_, begin: string, had: string) => {
    const all = [had.trim().replace(/,$/, ''), text].filter((part) => part !== '');
    return field === 'resources'
      ? `${begin}${all.join(', ')}${end}`
      : `${begin}\n    ${all.join(',\n    ')},\n  ${end}`;
  });
}

/** The names that TypeScript imports or declares. */
export function namesIn(text: string): readonly string[] {
  const found = text.matchAll(/\b(?:import|const|function)\s+(?:type\s+)?(?:\{([^}]*)\}|(\w+))/g);
  return [...found].flatMap(([, several = '', one]) => one ?? several.match(/\w+/g) ?? []);
}
