import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rightsOf, textOfRight } from '../../controller/domain/rights.ts';
import { readManifests } from '../../mesh/manifests/read-manifests.ts';
import { resourceFiles, smallProject, tableOf } from './small-project.ts';

const project = smallProject();
after(() => project.remove('.'));

function writeAll(kinds: readonly string[]): void {
  for (const kind of kinds) for (const [path, text] of Object.entries(resourceFiles(kind))) project.write(path, text);
  project.write('functions/table.ts', tableOf(kinds));
}

/** The files that a command names. */
function namedBy(...args: readonly string[]): readonly string[] {
  const { stdout, stderr } = project.knudge('generate', ...args, '--json');
  assert.equal(stderr, '');
  return (JSON.parse(stdout) as { readonly files: readonly { readonly file: string }[] }).files.map(({ file }) => file);
}

const generated = [
  'crds/kustomization.yaml',
  'deploy/accounts/greeting.yaml',
  'deploy/accounts/kustomization.yaml',
  'deploy/functions/all.yaml',
  'deploy/functions/kustomization.yaml',
  'deploy/functions/resync-due.yaml',
  'eventing/kustomization.yaml',
  'eventing/sources/cluster-objects.yaml',
  'eventing/triggers/config-map-changed.yaml',
  'eventing/triggers/greeting-changed.yaml',
  'eventing/triggers/resync-due.yaml',
  'resources/greeting/types.ts',
  'resources/managed/kinds.ts',
];

describe('a project outside of this repository', () => {
  it('gets every file that follows from its controller, and its own stay as they are', () => {
    writeAll(['Greeting']);
    const before = project.files();
    assert.deepEqual(namedBy('--check'), ['resources/greeting/types.ts', 'resources/managed/kinds.ts']);
    const named = namedBy();
    assert.deepEqual(
      generated.filter((file) => !named.includes(file)),
      [],
    );
    assert.deepEqual(project.files(), [...new Set([...before, ...named])].sort());
    assert.deepEqual(namedBy('--check'), []);
  });

  it('is named by its own kinds in the help of the command line', () => {
    const help = (...command: readonly string[]) => project.knudge(...command, '--help').stdout.replace(/\s+/g, ' ');
    assert.match(help('resync'), /of every Greeting, as the PingSource does/);
    assert.match(help('reconcile'), /of one Greeting .* Greeting: the kind, its plural/);
    assert.match(help('events', 'export'), /the last state of each Greeting as YAML/);
  });

  it('is checked without a change', () => {
    const { status, stdout } = project.knudge('generate', '--check');
    assert.deepEqual([status, stdout], [0, 'every generated file is up to date\n']);
    const path = 'deploy/functions/all.yaml';
    const made = project.text(path);
    project.write(path, made.replace('max-scale: ', 'max-scale: 1'));
    const edited = project.text(path);
    const found = project.knudge('generate', 'manifests', '--check');
    assert.equal(found.status, 1);
    assert.match(found.stdout, /^deploy\/functions\/all\.yaml is not what .* say: run `npx knudge generate`\n$/);
    assert.equal(project.text(path), edited);
    project.write(path, made);
  });

  it('imports the engine by its name, and names the command that it has', () => {
    const types = project.text('resources/greeting/types.ts');
    assert.match(types, /^\/\/ Generated from crds\/greetings\.yaml by `npx knudge generate`; do not edit\.\n/);
    assert.match(types, /^import type \{ Condition, KubeObject \} from '@knudge\/controller';$/m);
    const kinds = project.text('resources/managed/kinds.ts');
    assert.match(kinds, /^import \{ addKinds \} from '@knudge\/controller';$/m);
    assert.match(kinds, /ConfigMap', parents: \[greeting\]/);
  });

  it('has manifests that a mesh takes, with the rights of what its functions do', () => {
    const { functions, triggers, objects } = readManifests({ root: project.folder });
    assert.ok(functions.length >= 3);
    assert.ok(triggers.length >= 4);
    const rights = rightsOf({ namespace: 'small', name: 'greeting' }, objects).map(textOfRight);
    assert.ok(rights.includes('patch greetings/status of example.dev'));
    assert.ok(rights.includes('create configmaps'));
  });

  it('has its name in every manifest, of people too, and they follow when it gets another one', () => {
    const manifests = () => project.files().filter((path) => /^(deploy|eventing)\/.*\.yaml$/.test(path));
    const before = new Map(manifests().map((path) => [path, project.text(path)]));
    const table = project.text('functions/table.ts');
    project.write('functions/table.ts', table.replace("name: 'small'", "name: 'other'"));
    assert.ok(namedBy('--check').includes('eventing/broker.yaml'));
    const named = namedBy();
    for (const path of ['eventing/broker.yaml', 'deploy/base/namespace.yaml', 'deploy/functions/event-log.yaml'])
      assert.ok(named.includes(path), path);
    const { brokers, objects, triggers } = readManifests({ root: project.folder });
    assert.deepEqual(
      brokers.map(({ namespace, name }) => [namespace, name]),
      [['other', 'other']],
    );
    assert.ok(triggers.every(({ namespace }) => namespace === 'other'));
    assert.ok(rightsOf({ namespace: 'other', name: 'event-log' }, objects).length > 0);
    project.write('functions/table.ts', table);
    assert.ok(namedBy().length > 0);
    assert.deepEqual(new Map(manifests().map((path) => [path, project.text(path)])), before);
    assert.match(project.text('eventing/triggers/resync-due.yaml'), /namespaces\/small\/pingsources/);
  });

  it('keeps the types of a resource where it has them', () => {
    project.write('resources/words/types.ts', project.text('resources/greeting/types.ts'));
    project.remove('resources/greeting/types.ts');
    assert.deepEqual(namedBy('types'), []);
    project.write('resources/greeting/types.ts', project.text('resources/words/types.ts'));
    project.remove('resources/words');
    assert.deepEqual(namedBy(), []);
  });

  it('gets a second resource, and nothing of it is left when it is taken away', () => {
    const before = new Map(project.files().map((path) => [path, project.text(path)]));
    writeAll(['Greeting', 'Farewell']);
    const made = namedBy();
    for (const path of ['resources/farewell/types.ts', 'eventing/triggers/farewell-changed.yaml'])
      assert.ok(made.includes(path), path);
    assert.match(project.text('resources/managed/kinds.ts'), /parents: \[greeting, farewell\]/);
    for (const path of Object.keys(resourceFiles('Farewell'))) project.remove(path);
    project.write('functions/table.ts', tableOf(['Greeting']));
    assert.ok(namedBy().includes('resources/farewell/types.ts'));
    assert.deepEqual(new Map(project.files().map((path) => [path, project.text(path)])), before);
  });

  it('may have no function that shares a Service, and a place for what is made in a file of its own', () => {
    project.write('functions/table.ts', tableOf(['Greeting']).replace(/ all: \[.*?\],/, ''));
    const place = (text: string): string =>
      `a: 1\n# By \`npm run manifests\`, from here: others\n${text}# By \`npx knudge generate\`, to here\n`;
    project.write('deploy/network-policies/tunnels.yaml', place('old: 1\n'));
    const named = namedBy();
    assert.ok(named.includes('deploy/functions/greeting-changed.yaml'));
    assert.ok(!project.files().includes('deploy/functions/all.yaml'));
    assert.match(
      project.text('deploy/network-policies/tunnels.yaml'),
      /^a: 1\n# By `npx knudge generate`, from here: others\nvalues: \[config-map-changed, event-log, greeting-changed, .*\]\n# By/,
    );
    project.remove('deploy/network-policies');
  });

  it('is refused where a status cannot take what the engine writes, and nothing is written then', () => {
    const before = project.files().map((path) => project.text(path));
    const definition = project.text('crds/greetings.yaml');
    project.write('crds/greetings.yaml', definition.replace('recentWrites:', 'writes:'));
    const { status, stderr } = project.knudge('generate');
    assert.equal(status, 1);
    assert.match(stderr, /^Greeting v1: the status in its CRD lacks recentWrites, which Knudge writes: .*\n$/);
    project.write('crds/greetings.yaml', definition);
    assert.deepEqual(
      project.files().map((path) => project.text(path)),
      before,
    );
  });
});
