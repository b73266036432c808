import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { textOf } from '../../../test/house/files.ts';
import { made, testIn } from './made.ts';

const project = made('demo');
after(() => project.remove('.'));

const [, ofThePage = ''] =
  /## Outside of this repository\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(textOf('docs/add-a-resource.md')) ?? [];

const pod = `import type { Farewell } from './types.ts';
export const podOf = ({ spec }: Farewell) => ({ spec: { containers: [{ name: 'says', image: 'busybox', args: [spec.text] }] } });
`;

/** The first scenario of the template's test, about the Pod in the place of the ConfigMap. */
const tested = (text: string): string =>
  text
    .replace("kind: 'ConfigMap'", "kind: 'Pod'")
    .replace("get(child), { data: { text: 'hello' } }", 'get(ada), { status: { observedGeneration: 1 } }')
    .replace(/^ +\{ name: 'change'[\s\S]*?^ {4}\],/m, '    ],');

describe('a resource of a new project whose child is a Pod, as docs/add-a-resource.md has it', () => {
  it('has a definition that takes its status', () => {
    assert.equal(project.knudge('new', 'resource', 'Farewell').status, 0);
    project.write('resources/farewell/farewell.ts', ofThePage);
    project.write('resources/farewell/pod.ts', pod);
    const path = 'test/farewell.test.ts';
    project.write(path, tested(project.text(path)));
    const { status, stderr } = project.knudge('generate');
    assert.equal(status, 0, stderr);
    const tried = testIn(project, path);
    assert.equal(tried.status, 0, tried.stdout);
  });

  it('is not generated without the fields of it', () => {
    const path = 'crds/farewells.yaml';
    const text = project.text(path);
    project.write(path, text.replace('attempts:', 'another:').replace('lastAttempt:', 'others:'));
    const { status, stderr } = project.knudge('generate');
    assert.match(stderr, /^Farewell v1: the status in its CRD lacks attempts, lastAttempt, which Knudge writes: /);
    assert.notEqual(status, 0);
  });
});
