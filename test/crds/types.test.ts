import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Crd, folderAt, projectIn } from '../../packages/generate/project.ts';
import { typeFiles } from '../../packages/generate/types/files.ts';
import { typesOf } from '../../packages/generate/types/types-of.ts';
import { builtinShapesFiles } from '../../tools/shapes/builtin-shapes.ts';
import { root } from './read.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const project = projectIn(folderAt(root));

for (const [file, wanted] of [...(await typeFiles(project)), ...builtinShapesFiles()]) {
  test(`${file} is what crds/, the resources and Kubernetes say (if not: npm run types)`, () => {
    assert.equal(read(file), wanted);
  });
}

const crdOf = (field: object, storage = true): Crd => ({
  path: 'crds/things.yaml',
  text: '',
  definition: {
    spec: {
      names: { kind: 'Thing' },
      versions: [
        {
          storage,
          schema: {
            openAPIV3Schema: {
              description: 'A thing.',
              properties: {
                spec: { type: 'object', properties: { field } },
                status: { type: 'object', properties: {} },
              },
            },
          },
        },
      ],
    },
  } as unknown as Crd['definition'],
});

const writing = { importing: () => '', command: 'npm run types' };

const rows: readonly { name: string; field: object; line: string }[] = [
  { name: 'a field is optional and readonly', field: { type: 'string' }, line: 'readonly field?: string;' },
  {
    name: 'a field with a default is always there',
    field: { type: 'boolean', default: false },
    line: 'readonly field: boolean;',
  },
  { name: 'an empty default counts too', field: { type: 'string', default: '' }, line: 'readonly field: string;' },
  { name: 'an enum is a union', field: { type: 'string', enum: ['a', 'b'] }, line: "readonly field?: 'a' | 'b';" },
  {
    name: 'int-or-string is a union',
    field: { 'x-kubernetes-int-or-string': true },
    line: 'readonly field?: number | string;',
  },
  {
    name: 'a list is readonly whatever its length',
    field: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
    line: 'readonly field?: readonly string[];',
  },
  {
    name: 'a map of strings is a readonly record',
    field: { type: 'object', additionalProperties: { type: 'string' } },
    line: 'readonly field?: Readonly<Record<string, string>>;',
  },
  {
    name: 'conditions are the type that all share',
    field: { type: 'array', items: { type: 'object', required: ['lastTransitionTime'] } },
    line: 'readonly field?: readonly Condition[];',
  },
  { name: 'a description becomes a comment', field: { type: 'string', description: 'Why.' }, line: '/** Why. */' },
];

for (const { name, field, line } of rows) {
  test(`generated types: ${name}`, async () => {
    const lines = (await typesOf(crdOf(field), writing)).split('\n').map((text) => text.trim());
    assert.ok(lines.includes(line), lines.join('\n'));
  });
}

test('generated types: a CRD without a stored version is refused', async () => {
  await assert.rejects(typesOf(crdOf({ type: 'string' }, false), writing), /crds\/things\.yaml has no stored version/);
});
