import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking, distributedService, object } from '../../../test/build/objects.ts';
import { inputsOf } from '../inputs.ts';
import type { DistributedServiceSpec } from '../types.ts';

type Backends = Partial<DistributedServiceSpec['backends']>;

const selector = { discovery: 'selector', port: 8080, selector: { matchLabels: { app: 'a' } } } as const;

const queries: readonly [sentence: string, backends: Backends, selectors: readonly string[]][] = [
  [
    'auto asks for labelled Pods and Services, but never for our own, and for the slices of those Services by their names',
    {},
    ['frp.io/service=web', 'frp.io/service=web,!knudge.dev/owner-uid', 'kubernetes.io/service-name in (db)'],
  ],
  ['selector asks for the slices of the headless Service', selector, ['kubernetes.io/service-name=frp-web-backends']],
  [
    'expressions become a selector in the words of the API',
    {
      ...selector,
      selector: {
        matchLabels: { b: '2', a: '1' },
        matchExpressions: [
          { key: 'c', operator: 'In', values: ['y', 'x'] },
          { key: 'd', operator: 'NotIn', values: ['z'] },
          { key: 'e', operator: 'Exists' },
          { key: 'f', operator: 'DoesNotExist' },
        ],
      },
    },
    ['a=1,b=2,!f,c in (x,y),d notin (z),e'],
  ],
  [
    'a key that would begin another condition is not asked for at all',
    { ...selector, selector: { matchExpressions: [{ key: 'a,b', operator: 'Exists' }] } },
    [],
  ],
];
for (const [sentence, backends, selectors] of queries) {
  test(sentence, () => {
    const owner = distributedService('web', {
      expose: {},
      backends: { discovery: 'auto', port: 8080, replicas: 1, ...backends },
    });
    const found = new Map([['services', [object('Service', 'db')]]]);
    const lists = inputsOf(owner, { ...asking, controllerNamespace: 'shop', found }).flatMap(({ query }) =>
      query.what === 'list' && query.kind !== 'ConfigMap' ? [query.labelSelector] : [],
    );
    const uid = owner.metadata.uid ?? '';
    assert.deepEqual(lists, [
      ...selectors,
      ...(selectors.length > 0 ? [`frp.io/tunnel=web,knudge.dev/owner-uid=${uid}`] : []),
    ]);
  });
}
