import assert from 'node:assert/strict';
import { it } from 'node:test';
import { root } from '../../../test/house/files.ts';
import { readManifests } from '../manifests/read-manifests.ts';
import { refuseUnrunnable } from '../refuse-unrunnable.ts';

const start = (overlay: string, env: Readonly<Record<string, string>> = {}) =>
  refuseUnrunnable(readManifests({ root, overlay }), env);

it('tokens for events are for clusters', () => {
  assert.throws(() => start('secure'), {
    code: 'misuse',
    message:
      /^distributed-service, .* ask for tokens \(OIDC_ISSUER\), which a mesh cannot make: leave out that overlay$/,
  });
});

it('what a Secret of a cluster holds is to be said by the shell', () => {
  assert.throws(() => start('postgres'), {
    code: 'misuse',
    message:
      'Service knudge/event-log has its DATABASE_URL from an object of a cluster: set DATABASE_URL in this shell',
  });
  start('postgres', { DATABASE_URL: 'postgres://localhost/knudge' });
});

for (const overlay of ['frps', 'kafka', 'per-function', 'prometheus', 'single-namespace'])
  it(`the overlay ${overlay} can be run on one machine`, () => start(overlay));
