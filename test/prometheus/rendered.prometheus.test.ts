import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kustomized, withKustomization } from '../kube/kustomized.ts';
import type { PodMonitor } from './relabelled.ts';
import { ownSelectors } from './selectors.ts';

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: PodMonitor['spec'] & {
    readonly groups?: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
  };
}

const component = (name: string): string => `deploy/components/${name}`;
const renamed = 'deploy/overlays/single-namespace/renamed';

/** The components on top of the base, in the namespace of this name. */
async function rendered(components: readonly string[], namespace?: string): Promise<readonly Rendered[]> {
  const other = namespace === undefined ? {} : { namespace, transformers: [renamed] };
  const kustomization = { resources: ['deploy/base'], components: components.map(component), ...other };
  return (await withKustomization(kustomization, kustomized)) as readonly unknown[] as readonly Rendered[];
}

function tunnelsOf(objects: readonly Rendered[]): PodMonitor['spec'] {
  const found = objects.find(({ kind, metadata }) => kind === 'PodMonitor' && metadata.name === 'knudge-tunnels');
  return found?.spec ?? assert.fail('there is no PodMonitor knudge-tunnels');
}

describe('the component prometheus', () => {
  it('has the tunnels of all namespaces scraped, and with single-namespace those of its own alone', async () => {
    assert.deepEqual(tunnelsOf(await rendered(['prometheus'])).namespaceSelector, { any: true });
    const single = tunnelsOf(await rendered(['prometheus', 'single-namespace']));
    assert.equal(single.namespaceSelector, undefined);
    assert.equal(single.podMetricsEndpoints[0].port, 'probe');
  });

  it('asks in each rule for the namespace of Knudge, also where that has another name', async () => {
    const objects = await rendered(['prometheus', 'single-namespace'], 'team-a');
    const rules = objects.flatMap(({ spec }) => spec?.groups?.flatMap((group) => group.rules) ?? []);
    assert.equal(rules.length, 8);
    for (const { alert, expr } of rules) {
      assert.ok(ownSelectors(expr).length > 0, alert);
      for (const { matchers } of ownSelectors(expr)) assert.ok(matchers.includes('namespace="team-a"'), expr);
    }
    // No other text of an expression is taken for it.
    const usual = (await rendered(['prometheus'])).flatMap(
      ({ spec }) => spec?.groups?.flatMap((group) => group.rules) ?? [],
    );
    assert.deepEqual(
      rules.map(({ expr }) => expr.replaceAll('namespace="team-a"', 'namespace="knudge"')),
      usual.map(({ expr }) => expr),
    );
  });
});
