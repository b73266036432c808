import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../../../test/house/files.ts';
import { addResource } from '../../new/resource.ts';
import { made, testIn } from './made.ts';

/** Called as a word of the template is, so that nothing of the name is taken for one. */
const project = made('greetings');
after(() => project.remove('.'));

const run = (command: string, ...args: readonly string[]) =>
  spawnSync(command, args, { cwd: project.folder, encoding: 'utf8' });

describe('knudge new resource', () => {
  for (const [kind, plural, home, name] of [
    ['Farewell', 'farewells', 'farewell', 'farewell'],
    ['GreetingCard', 'greetingcards', 'greeting-card', 'greetingCard'],
    ['MyGreeting', 'mygreetings', 'my-greeting', 'myGreeting'],
    ['HTTPRoute', 'httproutes', 'h-t-t-p-route', 'hTTPRoute'],
    ['Type', 'types', 'type', 'type'],
    ['Children', 'childrens', 'children', 'children'],
  ] as const) {
    it(`writes a ${kind} that loads`, () => {
      const { status, stderr } = project.knudge('new', 'resource', kind);
      assert.equal(status, 0, stderr);
      const crd = project.text(`crds/${plural}.yaml`);
      assert.match(crd, new RegExp(`^  name: ${plural}\\.greetings\\.example\\.org$`, 'm'));
      assert.match(
        crd,
        new RegExp(`^    kind: ${kind}\n    plural: ${plural}\n    singular: ${kind.toLowerCase()}$`, 'm'),
      );
      assert.match(
        project.text(`resources/${home}/${home}.ts`),
        new RegExp(`^export const ${name} = .*<${kind}>`, 'm'),
      );
      assert.match(project.text(`examples/${home}-ada.yaml`), new RegExp(`^kind: ${kind}$`, 'm'));
      assert.match(project.text(`test/${home}.test.ts`), new RegExp(`name: '${home}-ada'`));
    });
  }

  it('leaves a project that is generated, compiles, and whose tests pass', () => {
    assert.equal(project.knudge('generate', '--check').status, 0);
    // With the strictness that the sources of the packages are written for.
    const flags = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck'];
    const compiled = run(join(root, 'node_modules/.bin/tsc'), '-p', '.', ...flags);
    assert.equal(compiled.status, 0, compiled.stdout);
    const tested = testIn(project, 'test/greeting-card.test.ts');
    assert.equal(tested.status, 0, tested.stdout);
  });
});

describe('a kind that knudge new resource refuses', () => {
  const state = () => project.files().map((path) => [path, project.text(path)]);

  for (const [reason, kinds] of Object.entries({
    'which is a word of JavaScript':
      'Package Import Export Function Class Default New Enum Await Static Undefined Arguments',
    'is a name that its files have already':
      'Controller Test Change Child Crd Ada Parse Assert Yes NotYet Failures Condition KubeObject AddKinds ParentKinds',
    'its account would be': 'EventLog ResyncDue EventLogReader ClusterObjects',
    'its function would be': 'ConfigMap Greeting',
  }))
    it(`is ${kinds.split(' ').join(' or ')} (${reason}), and no file is written`, () => {
      const before = state();
      for (const kind of kinds.split(' ')) {
        const message = new RegExp(`^"${kind}" cannot be added: .*${reason}.*: take another kind$`);
        assert.throws(() => addResource(kind, { root: project.folder }), { code: 'misuse', message });
      }
      assert.deepEqual(state(), before);
    });
});
