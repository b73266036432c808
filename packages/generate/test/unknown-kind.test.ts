import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storedAs } from '../manifests/rows.ts';
import { resourceFiles, smallProject, tableOf } from './small-project.ts';

const project = smallProject();
after(() => project.remove('.'));

test('a project that watches a kind that is not known is generated once it follows the message', () => {
  for (const [path, text] of Object.entries(resourceFiles('Greeting'))) project.write(path, text);
  const row =
    "'class-changed': { wakes: 'change', handle: nothing, kind: 'networking.k8s.io/IngressClass', looksAt: []";
  const table = tableOf(['Greeting']).replace('functions: {', `functions: {\n    ${row}, labels: [''] },`);
  project.write('functions/table.ts', table);
  const refused = project.knudge('generate');
  assert.notEqual(refused.status, 0);
  const [call = ''] = /addKinds\(\{.*?\}\)/.exec(refused.stderr) ?? [];
  const filledIn = call
    .replace('<version>', 'v1')
    .replace('<plural>', 'ingressclasses')
    .replace(/<true.*?>/, 'false');
  project.write(
    'functions/table.ts',
    table.replace('{ defineController }', '{ addKinds, defineController }').replace('\nconst', `\n${filledIn};\nconst`),
  );
  assert.deepEqual([project.knudge('generate').stderr, project.knudge('generate', '--check').status], ['', 0]);
  assert.match(project.text('eventing/sources/cluster-objects.yaml'), /IngressClass/);
});

test('a manifest of a kind that is not known is refused with the call that adds it', () => {
  assert.throws(() => storedAs({ apiVersion: 'example.dev/v1', kind: 'Ghost' }), {
    message: /^example\.dev\/v1 Ghost is not known: call addKinds\(\{ 'example\.dev\/v1\/Ghost': /,
  });
});
