import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { at } from '../../../packages/kube-api/fidelity/case.ts';
import { type Server, send, textOf } from '../../../packages/kube-api/fidelity/server.ts';

export type Call = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly code: number; readonly body: unknown }>;

const plurals: Readonly<Record<string, string>> = {
  Namespace: 'namespaces',
  ServiceAccount: 'serviceaccounts',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  ConfigMap: 'configmaps',
  Broker: 'brokers',
  Trigger: 'triggers',
  ApiServerSource: 'apiserversources',
  PingSource: 'pingsources',
};

/** Requests to an API server; refusals are answers. */
export function callsTo(server: Server): Call {
  return async (method, path, body) => {
    const type = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
    const headers = { accept: 'application/json', 'content-type': type };
    const response = await send(server, {
      method,
      path,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await textOf(response);
    return { code: response.statusCode ?? 0, body: JSON.parse(text) as unknown };
  };
}

/** Applies an object as `npm start` does it. */
export async function make(call: Call, object: KubeObject): Promise<void> {
  const path = `${collectionOf(object)}/${object.metadata.name}?fieldManager=knudge-start&force=true`;
  const { code, body } = await call('PATCH', path, object);
  if (code > 299) throw new Error(`${object.kind} ${object.metadata.name} was refused: ${String(at(body, 'message'))}`);
}

/** Where objects of its kind are, in its namespace. */
export function collectionOf({ apiVersion, kind, metadata }: KubeObject): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const home = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  const plural = plurals[kind];
  if (plural === undefined) throw new Error(`test/knative/cases/objects.ts knows no plural of ${kind}: add it`);
  return `${group}${home}/${plural}`;
}

/** The items at a path; none where there is no such list. */
export async function listOf(call: Call, path: string): Promise<readonly unknown[]> {
  const items = at((await call('GET', path)).body, 'items');
  return Array.isArray(items) ? items : [];
}
