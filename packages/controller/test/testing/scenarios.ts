import type { Greeting } from '../../../../test/build/greeting.ts';
import { apply, change, type FaultScenario, remove } from '../../testing/index.ts';

const ada = { apiVersion: 'example.org/v1', kind: 'Greeting', namespace: 'shop', name: 'ada' } as const;
const hello = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'ada-hello' } as const;
const farewell = { ...hello, name: 'ada-farewell' } as const;

function greet(spec: Greeting['spec']): Greeting {
  const { apiVersion, kind, namespace, name } = ada;
  return { apiVersion, kind, metadata: { namespace, name }, spec };
}

/** What happens to a Greeting. */
export const scenarios: readonly FaultScenario[] = [
  { name: 'create', steps: [apply(greet({ person: 'Ada', farewell: true }))] },
  {
    name: 'change',
    given: [greet({ person: 'Ada', farewell: true })],
    steps: [change(ada, { spec: { person: 'Bob', farewell: null } })],
  },
  {
    name: 'drift',
    given: [greet({ person: 'Ada', farewell: true })],
    steps: [change(hello, { data: { text: 'Nonsense' } }), remove(farewell)],
  },
  { name: 'delete', given: [greet({ person: 'Ada' })], steps: [remove(ada)] },
];
