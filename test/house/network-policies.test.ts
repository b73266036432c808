import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serviceNames } from '../../functions/table.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import { accounts } from '../build/accounts.ts';
import { objectsIn } from '../kube/install.ts';
import { filesOf, root, textOf } from './files.ts';

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

interface Policy {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly unknown[];
    readonly egress?: readonly unknown[];
  };
}

const policies = filesOf('deploy/network-policies', '.yaml').flatMap(objectsIn) as unknown as readonly Policy[];
const named = (name: string): Policy['spec'] => {
  const policy = policies.find(({ metadata }) => metadata?.name === name);
  assert.ok(policy, `there is no NetworkPolicy ${name}`);
  return policy.spec;
};

/** The functions whose Pods a policy is about. */
function chosenBy({ podSelector }: Policy['spec']): readonly string[] {
  const { matchLabels = {}, matchExpressions = [] } = podSelector;
  return serviceNames.filter((name) => {
    const labels: Readonly<Record<string, string>> = { 'serving.knative.dev/service': name };
    const fits = matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      return operator === 'In' ? values.includes(value ?? '') : !values.includes(value ?? '');
    });
    return fits && Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  });
}

describe('the NetworkPolicies', () => {
  it('begin with nothing', () => {
    const spec = named('nothing-else');
    assert.deepEqual(spec, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it('let every function be reached through Knative, and reach the API server', () => {
    for (const name of ['functions', 'functions-to-api-server']) assert.deepEqual(chosenBy(named(name)), serviceNames);
  });

  it('let those reach the Broker that have its address, and no others', () => {
    const senders = serviceNames.filter((name) => textOf(`deploy/functions/${name}.yaml`).includes('name: K_SINK'));
    assert.deepEqual(chosenBy(named('functions-to-broker')), senders);
  });

  it('let those reach the Broker too that only report deliveries, where these are asked for', () => {
    const [report] = objectsIn('deploy/components/deliveries/network-policy.yaml') as unknown as readonly Policy[];
    assert.ok(report);
    const { functions } = readManifests({ root, overlay: 'deliveries' });
    const senders = functions.filter(({ env }) => env['K_SINK'] !== undefined).map(({ name }) => name);
    const chosen = [...chosenBy(named('functions-to-broker')), ...chosenBy(report.spec)];
    assert.deepEqual(chosen.toSorted(), senders.toSorted());
  });

  it('let those ask tunnels that reconcile a DistributedService, and no others', () => {
    assert.deepEqual(chosenBy(named('functions-to-tunnels')), accounts.get('distributed-service'));
  });
});
