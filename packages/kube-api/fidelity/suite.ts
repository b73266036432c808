import { setTimeout as sleep } from 'node:timers/promises';
import type { Case } from './case.ts';
import { at } from './case.ts';
import { type Answer, runCase } from './run-case.ts';
import { type Server, send, textOf } from './server.ts';

export interface Suite {
  /** Runs a case in a new namespace. Rejects when what it needs cannot be prepared. */
  run(one: Case): Promise<readonly Answer[]>;
  /** Deletes what the cases left. */
  clean(): Promise<void>;
}

/** Where a case leaves something outside its namespace; all of it has the namespace in its name. */
const clusterScoped = [
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/api/v1/nodes',
  '/api/v1/namespaces',
];

const readyWithinMs = 20_000;

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Runs cases on a server, several at a time if the caller likes. */
export function createSuite(server: Server): Suite {
  const prefix = `fidelity-${(process.pid % 100_000).toString().padStart(5, '0')}`;
  let made = 0;
  const call: Call = async (method, path, body) => {
    const type = method === 'PATCH' ? 'application/json-patch+json' : 'application/json';
    const json = { accept: 'application/json', 'content-type': type };
    const sent = { method, path, headers: json, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return JSON.parse(await textOf(await send(server, sent)));
  };
  const run = async (one: Case): Promise<readonly Answer[]> => {
    const name = `${prefix}-${String(made++).padStart(3, '0')}`;
    await call('POST', '/api/v1/namespaces', { metadata: { name } });
    await eventually(`namespace ${name} with what belongs to it`, async () => {
      const account = await call('GET', `/api/v1/namespaces/${name}/serviceaccounts/default`);
      const root = await call('GET', `/api/v1/namespaces/${name}/configmaps/kube-root-ca.crt`);
      return at(account, 'metadata.name') === 'default' && at(root, 'metadata.name') === 'kube-root-ca.crt';
    });
    return runCase(server, one, name);
  };
  const clean = async (): Promise<void> => {
    for (const plural of ['configmaps', 'secrets']) await release(call, plural, prefix);
    for (const path of clusterScoped) {
      const items = at(await call('GET', path), 'items');
      const names = (Array.isArray(items) ? items : []).map((item) => String(at(item, 'metadata.name')));
      for (const name of names.filter((found) => found.includes(prefix))) await call('DELETE', `${path}/${name}`);
    }
  };
  return { run, clean };
}

async function eventually(what: string, done: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + readyWithinMs; !(await done()); await sleep(20)) {
    if (Date.now() > end) throw new Error(`no ${what} within ${readyWithinMs / 1000} s`);
  }
}

/** Takes the finalizers away that cases left, so that their namespaces can go. */
async function release(call: Call, plural: string, prefix: string): Promise<void> {
  const items = at(await call('GET', `/api/v1/${plural}`), 'items');
  for (const item of Array.isArray(items) ? items : []) {
    const namespace = String(at(item, 'metadata.namespace'));
    if (!namespace.startsWith(prefix) || at(item, 'metadata.finalizers') === undefined) continue;
    const patch = [{ op: 'remove', path: '/metadata/finalizers' }];
    await call('PATCH', `/api/v1/namespaces/${namespace}/${plural}/${String(at(item, 'metadata.name'))}`, patch);
  }
}
