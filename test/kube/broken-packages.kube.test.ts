import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { textOf } from '../house/files.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { putCrdsOfOthers, removeCrdsOfOthers } from './crds-of-others.ts';
import { kubectl } from './kubectl.ts';

interface Row {
  readonly what: string;
  readonly file: string;
  readonly from: RegExp;
  readonly to: string;
  readonly says: RegExp;
}

const trigger = 'eventing/triggers/pod-changed.yaml';
const service = 'deploy/functions/distributed-service.yaml';
const rows: readonly Row[] = [
  {
    what: 'a number in quotes in a Trigger',
    file: trigger,
    from: /retry: \d+/,
    to: 'retry: "4"',
    says: /spec\.delivery\.retry: Invalid value: "string"/,
  },
  {
    what: 'a number in quotes in a Broker',
    file: 'eventing/broker.yaml',
    from: /retry: \d+/,
    to: 'retry: "4"',
    says: /spec\.delivery\.retry: Invalid value: "string"/,
  },
  {
    what: 'a misspelt field of a PingSource',
    file: 'eventing/sources/resync-due.yaml',
    from: /^ {2}schedule:/m,
    to: '  schedul:',
    says: /unknown field "spec\.schedul"/,
  },
  {
    what: 'an ApiServerSource without resources',
    file: 'eventing/sources/secret-references.yaml',
    from: /^ {2}resources:\n(?: {4}.*\n)+/m,
    to: '',
    says: /spec\.resources: Required value/,
  },
  {
    what: 'a PingSource whose schedule is a number',
    file: 'eventing/sources/resync-due.yaml',
    from: /schedule: .*/,
    to: 'schedule: 5',
    says: /spec\.schedule: Invalid value: "integer"/,
  },
  {
    what: 'a Service of Knative with a misspelt field',
    file: service,
    from: /containerConcurrency:/,
    to: 'containerConcurency:',
    says: /unknown field "spec\.template\.spec\.containerConcurency"/,
  },
  {
    what: 'a Service of Knative with a variable that has no name',
    file: service,
    from: /- name: (?=[A-Z])/,
    to: '- nam: ',
    says: /unknown field "spec\.template\.spec\.containers\[0\]\.env\[0\]\.nam"/,
  },
  {
    what: 'a ClusterServiceVersion without a way to install it',
    file: 'bundle/manifests/knudge.clusterserviceversion.yaml',
    from: /^ {2}install:/m,
    to: '  instal:',
    says: /unknown field "spec\.instal"/,
  },
];

/** The CRDs leave unknown fields of a Broker or Trigger to Knative's webhook: knative-webhooks.kube.test.ts. */
describe('the API server refuses, by the CRDs of others,', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'knudge-broken-'));
    await putCrdsOfOthers(apiFrom(testKubeconfig()));
    await kubectl('apply', '--filename', 'deploy/base/namespace.yaml');
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await removeCrdsOfOthers();
  });

  for (const { what, file, from, to, says } of rows) {
    test(what, async () => {
      const broken = join(folder, 'broken.yaml');
      await writeFile(broken, textOf(file).replace(from, to));
      await assert.rejects(kubectl('apply', '--dry-run=server', '--namespace=knudge', '--filename', broken), says);
    });
  }
});
