import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { KnudgeError } from '../../../controller/domain/errors.ts';
import { readManifests } from '../../manifests/read-manifests.ts';

/** A Broker, a function, a Trigger and both kinds of source: the least that has one of everything. */
export const sound: Readonly<Record<string, string>> = {
  'crds/.keep': '',
  'eventing/broker.yaml': `apiVersion: eventing.knative.dev/v1
kind: Broker
metadata: { name: bus, namespace: home }
spec:
  delivery: { retry: 3, backoffPolicy: linear, backoffDelay: PT1S, timeout: PT2M }
`,
  'eventing/trigger.yaml': `apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: t, namespace: home }
spec:
  broker: bus
  subscriber: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: f } }
`,
  'eventing/source.yaml': `apiVersion: sources.knative.dev/v1
kind: ApiServerSource
metadata: { name: s, namespace: home }
spec:
  resources: [{ apiVersion: v1, kind: Pod }]
  sink: { ref: { apiVersion: eventing.knative.dev/v1, kind: Broker, name: bus } }
`,
  'eventing/ping.yaml': `apiVersion: sources.knative.dev/v1
kind: PingSource
metadata: { name: p, namespace: home }
spec:
  sink: { uri: 'http://127.0.0.1:8080/here' }
`,
  'deploy/functions/f.yaml': `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: f, namespace: home }
spec: { template: { spec: { containers: [{ image: f }] } } }
`,
};

/** A folder with these files, gone after the test. */
export function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'knudge-manifests-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

/** What is read of the sound manifests with these files instead or besides. */
export function readWith(t: TestContext, files: Readonly<Record<string, string>>, overlay?: string) {
  const root = folderWith(t, { ...sound, ...files });
  return readManifests({ root, ...(overlay !== undefined && { overlay }) });
}

/** Every line of what is wrong with them; none where nothing is. */
export function faultsWith(t: TestContext, files: Readonly<Record<string, string>>, overlay?: string) {
  try {
    readWith(t, files, overlay);
    return [];
  } catch (error) {
    assert.ok(error instanceof KnudgeError, String(error));
    assert.equal(error.code, 'misuse');
    return error.message.split('\n');
  }
}

/** A Trigger with these lines in its spec, the first of which is line 7. */
export function trigger(lines: string): Readonly<Record<string, string>> {
  return { 'eventing/trigger.yaml': `${sound['eventing/trigger.yaml']}${lines}\n` };
}

export function source(lines: string): Readonly<Record<string, string>> {
  return { 'eventing/source.yaml': `${sound['eventing/source.yaml']}${lines}\n` };
}

/** The first of the lines is line 6. */
export function ping(lines: string): Readonly<Record<string, string>> {
  return { 'eventing/ping.yaml': `${sound['eventing/ping.yaml']}${lines}\n` };
}
