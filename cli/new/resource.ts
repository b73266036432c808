import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { guessedPlural } from '../../packages/controller/domain/plural.ts';
import { kebabOf } from '../../packages/controller/functions/kebab.ts';
import { camelOf } from '../../packages/generate/types/names.ts';
import { templateFiles, writeNew } from './files.ts';
import { generateFiles } from './generate-files.ts';
import { tableFile, tableWith } from './table.ts';
import { whyTaken } from './taken.ts';

interface Adding {
  readonly root: string;
  readonly group?: string;
}

/** The files of the template that are about its resource. */
const about = [
  'crds/greetings.yaml',
  'resources/greeting/greeting.ts',
  'test/greeting.test.ts',
  'examples/greeting-ada.yaml',
];

/**
 * Adds a custom resource with a child to a project, and generates what follows from it. Throws `misuse` for a word that is not a kind or a
 * group, for a kind whose files could not be loaded, and if there is such a resource. Then nothing is written.
 */
export function addResource(
  kind: string,
  { root, group = firstGroup(root) }: Adding,
): { readonly files: readonly string[] } {
  if (!/^[A-Z][A-Za-z0-9]{0,39}$/.test(kind)) {
    throw new KnudgeError(
      'misuse',
      `"${kind}" is not a kind: begin with a capital, and take letters and digits, such as Farewell`,
    );
  }
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(group)) {
    throw new KnudgeError('misuse', `"${group}" is not an API group: take a domain of yours, such as example.org`);
  }
  const template = templateFiles();
  const taken = whyTaken(kind, root, template);
  if (taken !== undefined) throw new KnudgeError('misuse', `"${kind}" cannot be added: ${taken}: take another kind`);
  const renamed = (text: string): string => textAbout(kind, group, text);
  const files = new Map(about.map((path) => [renamed(path), renamed(template.get(path) ?? '')]));
  const name = camelOf(kind);
  const home = `resources/${kebabOf(kind)}/${kebabOf(kind)}.ts`;
  const table = tableWith(root, { name, from: home, field: 'resources', text: name });
  writeNew(root, files);
  writeFileSync(join(root, tableFile), table);
  return { files: [...files.keys(), tableFile, ...generateFiles(root)] };
}

/** What the template says of a Greeting, about another kind. In one pass: a name that was put in is never taken for one of the template. */
function textAbout(kind: string, group: string, text: string): string {
  const words: Readonly<Record<string, string>> = {
    'demo.example.org': group,
    greetings: guessedPlural(kind),
    Greeting: kind,
    'singular: greeting': `singular: ${kind.toLowerCase()}`,
    greeting: camelOf(kind),
  };
  return text.replaceAll(
    /demo\.example\.org|greetings|Greeting|singular: greeting|greeting[-./]?/g,
    (word) => words[word] ?? kebabOf(kind) + word.slice('greeting'.length),
  );
}

function firstGroup(root: string): string {
  const folder = join(root, 'crds');
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const groups = files.flatMap(
    (file) => /^ {2}group: (\S+)$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? [],
  );
  return groups[0] ?? 'example.org';
}
