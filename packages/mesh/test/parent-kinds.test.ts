import assert from 'node:assert/strict';
import { it } from 'node:test';
import { distributedService, message, parentKinds as parents } from '../../../resources/managed/kinds.ts';
import { root } from '../../../test/house/files.ts';
import { objectsIn } from '../../../test/kube/install.ts';
import { readManifests } from '../manifests/read-manifests.ts';
import { kindNamed, parentKinds, watchedKind } from '../parent-kinds.ts';

const objects = ['claims', 'distributedservices', 'messages'].flatMap((plural) => objectsIn(`crds/${plural}.yaml`));

const words = [
  ['DistributedService', distributedService],
  ['distributedservice', distributedService],
  ['distributedservices', distributedService],
  ['distributedservices.frp.io', distributedService],
  ['dsvc', distributedService],
  ['MSG', message],
  ['message.myorg.dev', message],
] as const;
for (const [word, kind] of words) {
  it(`${word} means ${kind.kind}, in the version that is stored`, () =>
    assert.deepEqual(kindNamed(word, objects), kind));
}

for (const word of ['pod', '', 'message.frp.io', 'claim']) {
  it(`'${word}' means nothing, and all there are is said`, () => {
    assert.throws(() => kindNamed(word, objects), {
      message: `Knudge has no resource ${word}: DistributedService or dsvc, Message or msg`,
    });
  });
}

const spec = readManifests({ root });
for (const [word, kind] of [
  ['dsvc', 'DistributedService'],
  ['po', 'Pod'],
  ['PODS', 'Pod'],
  ['endpointslice', 'EndpointSlice'],
  ['deployments', 'Deployment'],
  ['secrets', 'Secret'],
] as const) {
  it(`${word} is the watched kind ${kind}`, () => assert.equal(watchedKind(word, spec), kind));
}

it('a kind that no source watches is told, and all there are', () => {
  const short = [
    'ConfigMap or cm',
    'Deployment or deploy',
    'DistributedService or dsvc',
    'Message or msg',
    'Pod or po',
  ];
  const kinds = new Set(spec.sources.flatMap(({ resources }) => resources.map(({ kind }) => kind)));
  const all = [...kinds, 'Service or svc'].filter((kind) => kind !== 'Service').sort();
  const named = all.map((kind) => short.find((one) => one.startsWith(`${kind} `)) ?? kind);
  assert.throws(() => watchedKind('node', spec), { message: `No source watches a kind node: ${named.join(', ')}` });
});

it('the parents are the custom resources that have a status', () => {
  assert.deepEqual(parentKinds(spec.objects).toSorted(), parents.map(({ kind }) => kind).sort());
});
