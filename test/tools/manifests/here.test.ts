import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formerAccounts } from '../../../cli/doctor/checks/former.ts';
import { manifestFiles } from '../../../packages/generate/manifests/files.ts';
import { folderAt, projectIn } from '../../../packages/generate/project.ts';
import { root } from '../../house/files.ts';

for (const [path, wanted] of await manifestFiles(projectIn(folderAt(root), formerAccounts)))
  test(`${path} is what crds/, the resources and functions/ say (if not: npm run manifests)`, () => {
    const file = join(root, path);
    assert.equal(existsSync(file) ? readFileSync(file, 'utf8') : undefined, wanted);
  });
