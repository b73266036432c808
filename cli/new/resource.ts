import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { guessedPlural } from '../../packages/controller/domain/plural.ts';
import { kebabOf } from '../../packages/controller/functions/kebab.ts';
import { templateFiles, writeNew } from './files.ts';
import { generateFiles } from './generate-files.ts';
import { addToTable } from './table.ts';

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
 * group, and if there is such a resource.
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
  const files = new Map(
    about.map((path) => [renamed(path, kind, group), renamed(template.get(path) ?? '', kind, group)]),
  );
  writeNew(root, files);
  const name = kind.charAt(0).toLowerCase() + kind.slice(1);
  const home = `resources/${kebabOf(kind)}/${kebabOf(kind)}.ts`;
  addToTable(root, { name, from: home, field: 'resources', text: name });
  return { files: [...files.keys(), 'functions/table.ts', ...generateFiles(root)] };
}

/** What the template says of a Greeting, about another kind. */
function renamed(text: string, kind: string, group: string): string {
  return text
    .replaceAll('demo.example.org', group)
    .replaceAll('greetings', guessedPlural(kind))
    .replaceAll('Greeting', kind)
    .replaceAll('singular: greeting', `singular: ${kind.toLowerCase()}`)
    .replaceAll(/greeting(?=[-./])/g, kebabOf(kind))
    .replaceAll('greeting', kind.charAt(0).toLowerCase() + kind.slice(1));
}

function firstGroup(root: string): string {
  const folder = join(root, 'crds');
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const groups = files.flatMap(
    (file) => /^ {2}group: (\S+)$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? [],
  );
  return groups[0] ?? 'example.org';
}
