import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rendered } from './helm.ts';

/** All that a value may be filled into. */
const everything = {
  source: { enabled: true },
  frps: { enabled: true, ca: 'pem', tlsSecretName: 'frps' },
  prometheus: { enabled: true },
} as const;

/** A value, and a text of its default that then stands nowhere. */
const others = [
  [{ prometheus: { enabled: true, namespace: 'observability' } }, '"monitoring"'],
  [{ networkPolicies: { gatewayNamespaces: ['my-gateway'] } }, 'kourier-system'],
] as const;

for (const [values, left] of others) {
  test(`a value is filled in wherever its default stands: ${JSON.stringify(values)}`, async () => {
    const places = async (given: object): Promise<readonly string[]> =>
      (await rendered({ ...everything, ...given }))
        .filter((one) => JSON.stringify(one).includes(left))
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.notDeepEqual(await places({}), []);
    assert.deepEqual(await places(values), []);
  });
}
