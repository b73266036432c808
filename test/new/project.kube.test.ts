import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { testKubeconfig } from '../kube/api.ts';
import { until } from '../kube/until.ts';
import { makeProject } from './project.ts';
import { commands, reader } from './tutorial.ts';

describe('a controller that somebody begins outside of this repository', () => {
  const project = makeProject('demo');
  after(project.remove);

  it('has generated files that fit, and types that compile', () => {
    assert.deepEqual(statusOf(project.knudge('generate')), { status: 0, stderr: '' });
    assert.deepEqual(statusOf(project.knudge('generate', '--check')), { status: 0, stderr: '' });
    const { status, stdout } = project.node('node_modules/typescript/bin/tsc', '-p', '.');
    assert.deepEqual({ status, stdout }, { status: 0, stdout: '' });
  });

  it('has a fault suite that is green', () => {
    const { status, stdout } = project.node('--test', 'test/greeting.test.ts');
    assert.equal(status, 0, stdout);
  });

  const greeting = join(project.folder, 'resources/greeting/greeting.ts');
  const right = readFileSync(greeting, 'utf8');
  it('has a fault suite that finds a child that depends on the clock', () => {
    const from = 'text: spec.text }';
    assert.ok(right.includes(from));
    writeFileSync(greeting, right.replace(from, 'text: spec.text + Date.now() }'));
    const { status, stdout } = project.node('--test', 'test/greeting.test.ts');
    writeFileSync(greeting, right);
    assert.equal(status, 1);
    assert.match(stdout, /oracle: '(?:nothing-at-rest|same-end|decides-the-same)'/);
  });

  describe('as docs/tutorial.md goes through it', () => {
    const { run, end } = reader(project);
    after(end);
    for (const command of commands) it(command, () => run(command));
  });

  it('takes a resource of two words', () => {
    const { status, stdout, stderr } = project.knudge('new', 'resource', 'LongFarewell', '--json');
    assert.equal(status, 0, stderr);
    const { files } = JSON.parse(stdout) as { readonly files: readonly string[] };
    assert.deepEqual(files.slice(0, 5), [
      'crds/longfarewells.yaml',
      'resources/long-farewell/long-farewell.ts',
      'test/long-farewell.test.ts',
      'examples/long-farewell-ada.yaml',
      'functions/table.ts',
    ]);
    assert.equal(project.node('node_modules/typescript/bin/tsc', '-p', '.').status, 0);
    assert.equal(project.node('--test', 'test/long-farewell.test.ts').status, 0);
  });

  it('says in three files and at most sixty lines what the resource is, besides test, example and the status that all have', () => {
    const lines = (file: string) => {
      const text = readFileSync(join(project.folder, file), 'utf8');
      return text.split('\n').filter((line) => /\S/.test(line) && !/^\s*(?:\/\/|\/\*\*)/.test(line));
    };
    const crd = lines('crds/longfarewells.yaml');
    const status = crd.findIndex((line) => line.trim() === 'status:');
    assert.ok(status > 20);
    const ofTable = lines('functions/table.ts').filter((line) => /longFarewell/i.test(line));
    assert.equal(ofTable.length, 2);
    const all = [...crd.slice(0, status), ...lines('resources/long-farewell/long-farewell.ts'), ...ofTable];
    assert.ok(all.length > 40 && all.length <= 60, `${String(all.length)} lines`);
  });

  const farewell = join(project.folder, 'resources/farewell/farewell.ts');
  it('has a fault suite for the added resource that finds a mistake in it', () => {
    const text = readFileSync(farewell, 'utf8');
    writeFileSync(farewell, text.replace('text: spec.text }', 'text: spec.text + Date.now() }'));
    const { status, stdout } = project.node('--test', 'test/farewell.test.ts');
    writeFileSync(farewell, text);
    assert.equal(status, 1);
    assert.match(stdout, /oracle: '(?:nothing-at-rest|same-end|decides-the-same)'/);
  });

  for (const [args, says] of [
    [['new', 'resource', 'LongFarewell'], /is there already/],
    [['new', 'resource', 'farewell'], /"farewell" is not a kind/],
    [['new', 'resource', 'Other', '--group', 'nothing'], /"nothing" is not an API group/],
    [['new', 'event', 'Secret'], /secret-changed is there already/],
    [['new', 'event', 'Thing'], /"Thing" is not a built-in kind/],
    [['new', 'controller', 'Not A Name'], /"Not A Name" is not a name/],
    [['new', 'controller', 'other', '--packages', '/nowhere'], /\/nowhere has no tarballs/],
  ] as const) {
    it(`refuses knudge ${args.join(' ')}, and writes nothing`, () => {
      const before = readFileSync(join(project.folder, 'functions/table.ts'), 'utf8');
      const { status, stderr } = project.knudge(...args);
      assert.equal(status, 2);
      assert.match(stderr, says);
      assert.equal(readFileSync(join(project.folder, 'functions/table.ts'), 'utf8'), before);
      assert.ok(!existsSync(join(project.folder, 'other')));
    });
  }

  it('runs on a real API server: a Greeting and an added Farewell become ConfigMaps, also after somebody deletes those', async (context) => {
    const kubeconfig = testKubeconfig();
    const crds = join(project.folder, 'crds');
    kubectl(kubeconfig, 'apply', '--kustomize', crds);
    kubectl(kubeconfig, 'apply', '-f', join(project.folder, 'deploy/base/namespace.yaml'));
    context.after(() => kubectl(kubeconfig, 'delete', '--kustomize', crds));
    const dir = mkdtempSync(join(tmpdir(), 'knudge-demo-'));
    const all = [...project.command, 'dev', '--port', '0', '--dir', dir, '--kubeconfig', kubeconfig];
    const child = spawn(process.execPath, all, { cwd: project.folder, stdio: ['ignore', 'ignore', 'inherit'] });
    context.after(() => {
      child.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    });
    await until('the mesh is up', async () => existsSync(join(dir, 'state.json')), 60);
    for (const name of ['greeting-ada', 'farewell-ada']) {
      const example = join(project.folder, `examples/${name}.yaml`);
      kubectl(kubeconfig, 'apply', '-f', example);
      const textOf = () => kubectl(kubeconfig, 'get', 'configmap', name, '--output', 'jsonpath={.data.text}');
      await until(`the ConfigMap ${name} has the text`, async () => textOf() === 'Hello, Ada', 60);
      kubectl(kubeconfig, 'delete', 'configmap', name);
      await until(`the ConfigMap ${name} is back`, async () => textOf() === 'Hello, Ada', 60);
      kubectl(kubeconfig, 'delete', '-f', example);
      await until(`the ConfigMap ${name} is gone`, async () => textOf() === '', 60);
    }
  });
});

function statusOf({ status, stderr }: { readonly status: number | null; readonly stderr: string }) {
  return { status, stderr };
}

function kubectl(kubeconfig: string, ...args: readonly string[]): string {
  return spawnSync('kubectl', ['--kubeconfig', kubeconfig, ...args], { encoding: 'utf8' }).stdout;
}
