import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { byHandAndNamed, calledAs } from '../../packages/generate/manifests/called.ts';

/** In a package the project lies beside this command line; in a clone of Knudge it is an example. */
const folders = [`${import.meta.dirname}/../template`, `${import.meta.dirname}/../../examples/controller`];

/** The project that `knudge new controller` copies: the texts of its files, by their paths. */
export function templateFiles(): ReadonlyMap<string, string> {
  const folder = folders.find((one) => existsSync(one)) ?? '';
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** The same for a project of another name: its title, image, namespace, Broker and API group. The template is called demo. */
export function templateFor(name: string): ReadonlyMap<string, string> {
  const renamed = (text: string): string =>
    text
      .replaceAll('# demo\n', `# ${name}\n`)
      .replaceAll('image: demo:', `image: ${name}:`)
      .replaceAll("name: 'demo'", `name: '${name}'`)
      .replaceAll('demo.example.org', `${name}.example.org`);
  const files = [...templateFiles()].map(([path, text]): [string, string] => [
    path,
    renamed(byHandAndNamed.includes(path) ? calledAs(name, text) : text),
  ]);
  return new Map(files);
}

/** Writes new files below a folder. Throws `misuse`, and writes nothing, if one of them is there. */
export function writeNew(folder: string, files: ReadonlyMap<string, string>): void {
  for (const path of files.keys()) {
    if (existsSync(join(folder, path))) {
      throw new KnudgeError('misuse', `${join(folder, path)} is there already: remove it, or take another name`);
    }
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
