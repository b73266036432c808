import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { definitionsOf } from '../../tools/api-schemas/definitions-of.ts';
import type { Messages } from '../../tools/api-schemas/messages-of.ts';
import { pinnedMessages } from '../../tools/api-schemas/pinned-messages.ts';
import { GoMissing, pinnedModules } from '../../tools/api-schemas/pinned-modules.ts';
import { readPins } from '../../tools/control-plane/pins.ts';
import { apiFrom, testKubeconfig } from './api.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

test('openapi.json is what the API server says about itself', async (t) => {
  const kubeconfig = testKubeconfig();
  const { body } = await apiFrom(kubeconfig)('GET', '/version');
  const { gitVersion } = body as { gitVersion: string };
  const { kubernetes } = readPins(join(root, 'tools/control-plane'));
  if (gitVersion !== kubernetes) {
    t.skip(`this API server is ${gitVersion}, openapi.json describes the pinned ${kubernetes}`);
    return;
  }
  const present = textOf('packages/kube-api/builtin/openapi.json');
  const said = await definitionsOf(kubeconfig);
  assert.deepEqual(linesNotIn(said, present), [], 'run node tools/api-schemas/generate.ts');
  assert.deepEqual(linesNotIn(present, said), [], 'run node tools/api-schemas/generate.ts');
  assert.ok(said === present, 'the lines are in another order: run node tools/api-schemas/generate.ts');
});

test('messages.json is what the pinned Go modules say', (t) => {
  const said = orSkip(t, pinnedMessages);
  if (said === undefined) return;
  assert.equal(textOf('packages/kube-api/http/protobuf/messages.json'), said, 'run node tools/api-schemas/messages.ts');
});

// Kubernetes generates these from the same structs: another reader of them, held against ours.
test('messages.json has the very fields that the .proto files of the pinned Go modules have', (t) => {
  const folders = orSkip(t, () => pinnedModules(['k8s.io/api', 'k8s.io/apimachinery']));
  if (folders === undefined) return;
  const messages = JSON.parse(textOf('packages/kube-api/http/protobuf/messages.json')) as Messages;
  const numbers = Object.entries(messages).map(([name, fields]) => [name, Object.keys(fields).map(Number)]);
  const wanted = Object.keys(messages).map((name) => [name, numbersInProto(name, folders)]);
  assert.deepEqual(Object.fromEntries(numbers), Object.fromEntries(wanted));
});

function numbersInProto(name: string, folders: ReadonlyMap<string, string>): readonly number[] {
  const [group = '', version = '', kind = ''] = name.split('.');
  const [module, below] = group === 'meta' ? ['k8s.io/apimachinery', 'pkg/apis'] : ['k8s.io/api', ''];
  const folder = join(folders.get(module) ?? '', below);
  const proto = readFileSync(join(folder, group, version, 'generated.proto'), 'utf8');
  const [, body] = new RegExp(`^message ${kind} \\{\\n(.*?)^\\}`, 'ms').exec(proto) ?? [];
  assert.ok(body !== undefined, `no message ${kind} in generated.proto of ${group}/${version}`);
  const numbers = [...body.matchAll(/^ {2}[\w.<>, ]+ = (\d+)(?: \[.*\])?;$/gm)].map(([, number]) => Number(number));
  return numbers.sort((a, b) => a - b);
}

function orSkip<Value>(t: TestContext, work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof GoMissing)) throw error;
    t.skip(error.message);
    return undefined;
  }
}

/** Each line of openapi.json is one resource or definition; the beginning says which. */
function linesNotIn(text: string, other: string): readonly string[] {
  const known = new Set(other.split('\n'));
  const lines = text.split('\n').filter((line) => !known.has(line));
  return lines.map((line) => line.slice(0, 100));
}
