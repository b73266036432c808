import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { basename } from 'node:path';
import { test } from 'node:test';
import { filesOf } from '../house/files.ts';
import { readCrd, readExamples } from './read.ts';

const examples = readExamples();
const crds = filesOf('crds', '.yaml')
  .map((path) => basename(path, '.yaml'))
  .filter((name) => name !== 'kustomization')
  .map(readCrd);
const served = crds.flatMap(({ spec }) => spec.versions.map(({ name }) => `${spec.group}/${name} ${spec.names.kind}`));
const services = examples.filter(({ object }) => object.kind === 'DistributedService');

test('each file holds one object and begins with one to three lines that say what it shows', () => {
  assert.ok(examples.length >= 9);
  assert.equal(new Set(examples.map(({ file }) => file)).size, examples.length);
  for (const { file, comment } of examples) {
    assert.ok(comment.trim().split('\n').length <= 3 && /[.!]$/.test(comment.trim()), file);
  }
});

test('each object is of a served version or a ConfigMap, has a name of its own and no namespace', () => {
  for (const { file, object } of examples) {
    assert.ok([...served, 'v1 ConfigMap'].includes(`${object.apiVersion} ${object.kind}`), file);
    assert.equal(object.metadata['namespace'], undefined, `${file} must go where the user wants it`);
  }
  const names = examples.map(({ object }) => `${object.kind} ${String(object.metadata['name'])}`);
  assert.deepEqual([...new Set(names)], names);
});

test('each service type, discovery and algorithm is shown, and both versions', () => {
  const text = JSON.stringify(services.map(({ object }) => object));
  for (const shown of ['http', 'tcp', 'udp', 'manual', 'auto', 'selector', 'random', 'least-conn', 'v1', 'v1beta1']) {
    assert.match(text, new RegExp(`"(frp\\.io/)?${shown}"`));
  }
});

test('the server profile that every service uses is there, with a certificate authority and no key', () => {
  const profile = examples.find(({ object }) => object.kind === 'ConfigMap');
  assert.deepEqual(profile?.object.metadata['labels'], { 'frp.io/server-profile': 'default' });
  for (const { object, file } of services) assert.equal(object.spec?.['serverProfile'] ?? 'default', 'default', file);
  const data = profile?.object.data ?? {};
  for (const [key, value] of Object.entries(data)) assert.equal(typeof value, 'string', key);
  const certificate = new X509Certificate(String(data['ca.crt']));
  assert.ok(certificate.ca && certificate.subject.includes('Example only'));
  assert.doesNotMatch(JSON.stringify(examples), /PRIVATE KEY/);
});
