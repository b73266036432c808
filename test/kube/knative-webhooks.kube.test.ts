import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { stringify } from 'yaml';
import { kustomized } from '../../tools/chart/kustomize.ts';
import { refusals, webhooksProgram } from '../../tools/crds/webhooks.ts';
import { rendered } from '../chart/helm.ts';
import { textOf } from '../house/files.ts';

let program: string;
before(async () => {
  program = await webhooksProgram((line) => void process.stderr.write(`${line}\n`));
});

const folders = ['deploy', ...readdirSync('deploy/overlays').map((name) => `deploy/overlays/${name}`)];
const trigger = 'eventing/triggers/pod-changed.yaml';

/** What an administrator sets in Knative before, as docs/install.md says it. */
function documentedSettings(): readonly unknown[] {
  const commands = textOf('docs/install.md').matchAll(
    /kubectl patch configmap\/config-features --namespace (\S+) --type merge --patch '(.*?)'/gs,
  );
  return [...commands].map(([, namespace, patch = '']) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'config-features', namespace },
    ...(JSON.parse(patch) as object),
  }));
}

function stream(objects: readonly unknown[]): string {
  return objects.map((object) => stringify(object)).join('---\n');
}

describe("Knative's webhooks", () => {
  for (const folder of folders) {
    it(`take ${folder}, where Knative is set as docs/install.md says`, async () => {
      const [objects = []] = await kustomized([folder]);
      const settings = documentedSettings();
      assert.equal(settings.length, 2);
      assert.ok(objects.filter(({ apiVersion }) => apiVersion.includes('knative.dev/')).length > 20);
      assert.deepEqual(refusals(program, stream([...settings, ...objects])), []);
    });
  }

  for (const source of [{ enabled: false }, { enabled: true }]) {
    it(`take the chart in a namespace of another name, with tokens and source.enabled=${source.enabled}`, async () => {
      const objects = await rendered({ oidc: { enabled: true }, source }, 'elsewhere');
      assert.deepEqual(refusals(program, stream([...documentedSettings(), ...objects])), []);
    });
  }

  const unset: readonly [folder: string, refused: readonly RegExp[]][] = [
    ['deploy', [/^Service event-log: .*volume claim support is disabled.*volume write.*securityContext/]],
    ['deploy/overlays/postgres', []],
    [
      'deploy/overlays/secure',
      [
        /^Service event-log: /,
        /^EventPolicy event-log: oidc-authentication feature not enabled/,
        /^EventPolicy knudge: oidc-authentication feature not enabled/,
      ],
    ],
  ];
  for (const [folder, wanted] of unset) {
    it(`refuse of ${folder} what docs/install.md says of a Knative as it comes`, async () => {
      const [objects = []] = await kustomized([folder]);
      const found = refusals(program, stream(objects));
      assert.equal(found.length, wanted.length, found.join('\n'));
      wanted.forEach((line, index) => {
        assert.match(found[index] ?? '', line);
      });
    });
  }
});

const broken: readonly [what: string, file: string, from: RegExp, to: string, says: RegExp][] = [
  ['a misspelt field of a Trigger', trigger, /^ {2}delivery:/m, '  delivry:', /unknown field "delivry"/],
  [
    'a misspelt field of a Broker',
    'eventing/broker.yaml',
    /backoffDelay:/,
    'backofDelay:',
    /unknown field "backofDelay"/,
  ],
  ['a delay that is no ISO 8601', trigger, /PT0\.4S/, '200ms', /invalid value: 200ms: spec\.delivery\.backoffDelay/],
  ['an attribute in capitals', trigger, /\bkind: Pod$/m, 'Kind: Pod', /invalid key name "Kind": spec\.filters/],
  [
    'a filter in words that nobody can read',
    trigger,
    /- exact:\n {8}kind: Pod/,
    '- cesql: kind =',
    /invalid value: kind =: spec\.filters/,
  ],
  [
    'a schedule in words',
    'eventing/sources/resync-due.yaml',
    /schedule: .*/,
    'schedule: every five minutes',
    /spec\.schedule/,
  ],
  [
    'a mode that is none',
    'eventing/sources/secret-references.yaml',
    /mode: Reference/,
    'mode: Names',
    /invalid value: Names: spec\.mode/,
  ],
  [
    'a Service of Knative for fewer than no requests',
    'deploy/functions/distributed-service.yaml',
    /containerConcurrency: \d+/,
    'containerConcurrency: -1',
    /expected 0 <= -1 <= \d+: spec\.template\.spec\.containerConcurrency/,
  ],
  [
    'a scale that is no number',
    'deploy/functions/distributed-service.yaml',
    /max-scale: .*/,
    'max-scale: many',
    /invalid value: many: .*max-scale/,
  ],
];

describe("Knative's webhooks refuse", () => {
  for (const [what, file, from, to, says] of broken) {
    it(what, () => {
      const text = textOf(file);
      assert.deepEqual(refusals(program, text), []);
      assert.match(refusals(program, text.replace(from, to)).join('\n'), says);
    });
  }
});
