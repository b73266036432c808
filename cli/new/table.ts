import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';

const file = 'functions/table.ts';

interface Addition {
  /** The name of what is imported, and its file from the root. */
  readonly name: string;
  readonly from: string;
  /** The field of the definition, and what is added at its end. */
  readonly field: 'resources' | 'functions';
  readonly text: string;
}

/** Adds an import and an entry to functions/table.ts of a project. Throws `misuse` with what to write by hand if the file has another form. */
export function addToTable(root: string, { name, from, field, text }: Addition): void {
  const before = readFileSync(join(root, file), 'utf8');
  const specifier = posix.relative('functions', from);
  const path = specifier.startsWith('.') ? specifier : `./${specifier}`;
  const line = ['import', `{ ${name} }`, 'from', `'${path}';`].join(' ');
  const end = field === 'resources' ? ']' : '}';
  const entry = new RegExp(`^( +${field}: [[{])([^\\]}]*)(\\${end})`, 'm');
  const imports = [...before.matchAll(/^import .*;\n/gm)].at(-1);
  if (!entry.test(before) || imports === undefined) {
    throw new KnudgeError(
      'misuse',
      `${file} has another form than this command knows: add \`${line}\`, and \`${text}\` to ${field}`,
    );
  }
  const at = imports.index + imports[0].length;
  const added = `${before.slice(0, at)}${line}\n${before.slice(at)}`.replace(entry, (_, begin: string, had: string) => {
    const all = [had.trim().replace(/,$/, ''), text].filter((part) => part !== '');
    return field === 'resources'
      ? `${begin}${all.join(', ')}${end}`
      : `${begin}\n    ${all.join(',\n    ')},\n  ${end}`;
  });
  writeFileSync(join(root, file), added);
}
