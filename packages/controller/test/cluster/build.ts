import assert from 'node:assert/strict';
import type { Credentials } from '../../cluster/access.ts';
import type { Call } from '../../cluster/call.ts';
import { createTransport, type TransportOptions } from '../../cluster/transport.ts';
import { KnudgeError } from '../../domain/errors.ts';
import type { KubeObject, ObjectRef } from '../../domain/kube-object.ts';

export const ref: ObjectRef = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'web' };

export const read: Call = {
  method: 'GET',
  verb: 'get',
  resource: 'configmaps',
  target: 'ConfigMap shop/web',
  path: '/api/v1/namespaces/shop/configmaps/web',
};

export const change: Call = { ...read, method: 'PATCH', verb: 'apply', body: { data: { a: '1' } } };

export function configMap(metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'shop', ...metadata } };
}

export function live(metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  return configMap({ uid: 'u-1', resourceVersion: '7', ...metadata });
}

/** A `metav1.Status` as a failure carries it. */
export function failure(code: number, reason: string, message = 'no'): Readonly<Record<string, unknown>> {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

/** A transport to a loopback server that never waits for long. */
export function transportTo(server: string, options: Partial<TransportOptions> = {}, credentials: Credentials = {}) {
  const access = { server, credentials: async () => credentials };
  return createTransport({ access, version: '1.2.3', timeoutMs: 2000, sleep: async () => undefined, ...options });
}

/** The KnudgeError that the work fails with. */
export async function errorOf(work: Promise<unknown>): Promise<KnudgeError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof KnudgeError, String(error));
    return error;
  }
  return assert.fail('it should have failed');
}
