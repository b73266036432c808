import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { root } from '../../../test/house/files.ts';
import { greeting } from '../../../test/tools/manifests/greeting.ts';

/** What a project takes over of the one that `knudge new controller` copies: no generated file. */
const taken = [
  'deploy/base/event-log-reader.yaml',
  'deploy/base/namespace.yaml',
  'deploy/functions/event-log.yaml',
  'eventing/broker.yaml',
  'eventing/event-log.yaml',
  'eventing/sources/resync-due.yaml',
  'eventing/triggers/event-recorded.yaml',
];

/** What a project calls the engine by. */
const engine = '@knudge/controller';

const engineFiles = {
  addKinds: 'domain/known-kinds.ts',
  defineController: 'functions/define-controller.ts',
} as const;

/** The entry of the engine, and what a table of functions needs of it. */
const entry = [
  `export * from '${join(root, 'packages/controller/index.ts')}';`,
  ...Object.entries(engineFiles).map(
    ([name, file]) => `export { ${name} } from '${join(root, 'packages/controller', file)}';`,
  ),
].join('\n');

/** A project outside of this repository. */
export interface SmallProject {
  readonly folder: string;
  readonly write: (path: string, text: string) => void;
  readonly remove: (path: string) => void;
  readonly text: (path: string) => string;
  /** All files but those of packages, sorted. */
  readonly files: () => readonly string[];
  readonly knudge: (...args: readonly string[]) => SpawnSyncReturns<string>;
}

/** Makes the project in a temporary folder. */
export function smallProject(): SmallProject {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-small-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const path of taken) cpSync(join(root, 'examples/controller', path), join(folder, path), { recursive: true });
  write('package.json', JSON.stringify({ name: 'small', version: '1.2.3', type: 'module' }));
  mkdirSync(join(folder, 'node_modules/@knudge'), { recursive: true });
  write('engine/package.json', JSON.stringify({ name: engine, type: 'module', exports: './index.ts' }));
  write('engine/index.ts', entry);
  // Node takes no types out of files in node_modules, so a link leads out of it.
  symlinkSync(join(folder, 'engine'), join(folder, 'node_modules', engine));
  return {
    folder,
    write,
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
    text: (path) => readFileSync(join(folder, path), 'utf8'),
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
        .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
        .sort(),
    knudge: (...args) =>
      spawnSync(process.execPath, [join(root, 'cli/knudge.js'), ...args], { cwd: folder, encoding: 'utf8' }),
  };
}

/** What people write for a resource, by path: that of a Greeting under another kind. */
export function resourceFiles(kind: string): Readonly<Record<string, string>> {
  const word = kind.toLowerCase();
  const named = (path: string): string =>
    (greeting[path]?.('') ?? '').replaceAll('Greeting', kind).replaceAll(/greeting(?=s|\b)/g, word);
  return {
    [`crds/${word}s.yaml`]: named('crds/greetings.yaml'),
    [`resources/${word}/${word}.ts`]: named('resources/greeting/greeting.ts')
      .replaceAll(/'[./]+packages\/controller\/[^']*'/g, `'${engine}'`)
      .replaceAll('greet-', `${word}-`),
  };
}

function changeRow(word: string, kind: string): string {
  return `'${word}-changed': { wakes: 'change', handle: nothing, kind: '${kind}', labels: ['knudge.dev/owner-uid'], looksAt: [] }`;
}

/** The text of functions/table.ts for resources of these kinds, each with a ConfigMap. The functions are never called. */
export function tableOf(kinds: readonly string[]): string {
  const words = kinds.map((kind) => kind.toLowerCase());
  const stems = [...words, 'config-map'].map((word) => `'${word}-changed'`);
  return `import '../resources/managed/kinds.ts';
import { defineController } from '${engine}';
${words.map((word) => `import { ${word} } from '../resources/${word}/${word}.ts';`).join('\n')}

const nothing = async () => [];
const every = { wakes: 'event', handle: async () => undefined, types: 'every', uses: ['log'] };

export const controller = defineController({
  name: 'small',
  resources: [${words.join(', ')}],
  functions: {
${kinds.map((kind) => `    ${changeRow(kind.toLowerCase(), `example.dev/${kind}`)},`).join('\n')}
    ${changeRow('config-map', '/ConfigMap')},
    'resync-due': { ...every, uses: ['cluster', 'broker'] },
    'event-recorded': every,
    'dead-lettered': every,
  },
  services: { all: [${stems.join(', ')}], 'event-log': ['event-recorded', 'dead-lettered'] },
});
`;
}
