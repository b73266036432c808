import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kebabOf } from '../../packages/controller/functions/kebab.ts';
import { camelOf } from '../../packages/generate/types/names.ts';
import { controllerIn } from '../../packages/start/controller-in.ts';
import { namesIn } from './table.ts';

/** Those that no constant of a module may be called. */
const wordsOfJavaScript =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield'.split(
    ' ',
  );

/** What resources/managed/kinds.ts exports besides the resources. */
const namesOfKinds = ['parentKinds', 'childKinds'];

/** Why a project can have no resource of this kind, as the end of a sentence; undefined if it can. `files` are those of the template. */
export function whyTaken(kind: string, root: string, files: ReadonlyMap<string, string>): string | undefined {
  const name = camelOf(kind);
  const stem = `${kebabOf(kind)}-changed`;
  const other = [...files].flatMap(([path, text]) => (path.endsWith('.ts') ? namesIn(text) : []));
  const own = [...namesOfKinds, ...other.filter((one) => !/^greeting/i.test(one))];
  if (wordsOfJavaScript.includes(name)) return `its constant would be \`${name}\`, which is a word of JavaScript`;
  if ([name, kind].some((one) => own.includes(one)))
    return `\`${name}\` or \`${kind}\` is a name that its files have already`;
  // Its child would be a ConfigMap too.
  if (kind === 'ConfigMap' || controllerIn(root).functions[stem] !== undefined)
    return `its function would be ${stem}, which is there already`;
  if (accountsIn(root).includes(kebabOf(kind))) return `its account would be ${kebabOf(kind)}, which is there already`;
  return undefined;
}

function accountsIn(root: string): readonly string[] {
  return ['deploy', 'eventing']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.yaml'))
        .flatMap((path) =>
          [...readFileSync(join(root, folder, path), 'utf8').matchAll(account)].map(([, name]) => name),
        )
        .filter((name) => name !== undefined),
    );
}

const account = /^kind: ServiceAccount\nmetadata:\n {2}name: (\S+)$/gm;
