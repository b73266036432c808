import assert from 'node:assert/strict';
import { it } from 'node:test';
import { root } from '../../../test/house/files.ts';
import { logFileOf } from '../log-file.ts';
import { readManifests } from '../manifests/read-manifests.ts';

const fileOf = (env: Readonly<Record<string, string>>, overlay?: string) =>
  logFileOf({ dir: '/d', env, spec: readManifests({ root, ...(overlay !== undefined && { overlay }) }) });

it('the event log is in a file of the mesh unless a database is named', () => {
  assert.equal(fileOf({}), '/d/events.db');
  assert.equal(fileOf({ DATABASE_URL: '' }), '/d/events.db');
  assert.equal(fileOf({ DATABASE_URL: 'postgres://localhost/knudge' }), null);
  assert.equal(fileOf({ DATABASE_URL: 'postgres://localhost/knudge' }, 'postgres'), null);
});
