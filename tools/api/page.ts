import { declarationIn, definitionOf } from './definition.ts';
import { entries, namesIn, type PublicName } from './entry.ts';

/** Characters of a line outside of code. */
const width = 120;

const head = `<!-- Generated from the entry files of packages/ by \`npm run api\`; do not edit. -->
# API

What others may import of each package: every name of its entry file, \`packages/<name>/index.ts\`, as TypeScript declares
it, with what its source says of it. \`@knudge/controller/testing\` is an entry of its own, for tests. Everything else in
a package may change without notice. An editor shows the fields of a type that a declaration mentions and that is not
here.
`;

export interface Sources {
  /** The text of a file, by its path from the root. */
  readonly text: (path: string) => string;
  /** The same as the compiler declares it. */
  readonly declared: (path: string) => string;
}

/** docs/api.md. */
export function pageOf(sources: Sources): string {
  return [head, ...entries.map((name) => sectionOf(name, sources))].join('\n');
}

function sectionOf(name: string, { text, declared }: Sources): string {
  const path = `packages/${name}/index.ts`;
  const names = namesIn(path, text(path));
  const [values, types] = [names.filter((one) => !one.isType), names.filter((one) => one.isType)];
  const [, is = ''] = /^# .*\n\n(.+(?:\n.+)*)/.exec(text(`packages/${name}/README.md`)) ?? [];
  const readme = `How it is used: [packages/${name}](../packages/${name}/README.md).`;
  const entries = [...values, ...types].map((one) => entryOf(one, declared));
  return [`## @knudge/${name}`, '', ...filled(is), '', readme, '', ...entries].join('\n');
}

function entryOf({ name, from }: PublicName, declared: Sources['declared']): string {
  const definition = definitionOf(declared, from, name);
  const paragraphs = definition.doc.join('\n').split(/\n{2,}/);
  const doc = paragraphs.flatMap((paragraph) => [...filled(paragraph), '']);
  return [`### \`${name}\``, '', ...doc, '```ts', declarationIn(definition), '```', ''].join('\n');
}

/** A paragraph in lines of that width. */
export function filled(paragraph: string): readonly string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
