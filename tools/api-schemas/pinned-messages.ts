import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Declaration, declarationsIn } from './go-source.ts';
import { messagesOf } from './messages-of.ts';
import { pinnedModules } from './pinned-modules.ts';

const modules = ['k8s.io/api', 'k8s.io/apimachinery'];
/** What a client may send as protobuf: the built-in kinds that the embedded API serves, and what goes to them. */
const roots: Readonly<Record<string, readonly string[]>> = {
  'k8s.io/api/apps/v1': ['Deployment', 'ReplicaSet'],
  'k8s.io/api/batch/v1': ['Job'],
  'k8s.io/api/coordination/v1': ['Lease'],
  'k8s.io/api/core/v1': [
    'Binding',
    'ConfigMap',
    'Event',
    'Namespace',
    'Node',
    'Pod',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  'k8s.io/api/discovery/v1': ['EndpointSlice'],
  'k8s.io/api/events/v1': ['Event'],
  'k8s.io/api/rbac/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'k8s.io/apimachinery/pkg/apis/meta/v1': ['DeleteOptions'],
};

/** The text of messages.json, from the pinned Go modules of Kubernetes. Throws GoError where Go does not give them. */
export function pinnedMessages(): string {
  const folders = pinnedModules(modules);
  const packages = new Map<string, ReadonlyMap<string, Declaration>>();
  const messages = messagesOf(roots, (path) => {
    const known = packages.get(path) ?? packageIn(folderOf(path, folders));
    packages.set(path, known);
    return known;
  });
  return `${JSON.stringify(messages, null, 2)}\n`;
}

function folderOf(path: string, folders: ReadonlyMap<string, string>): string {
  for (const [module, folder] of folders) {
    if (path.startsWith(`${module}/`)) return join(folder, path.slice(module.length));
  }
  throw new Error(`the package ${path} is in none of ${modules.join(', ')}`);
}

function packageIn(folder: string): ReadonlyMap<string, Declaration> {
  const files = readdirSync(folder).filter((file) => /(?<!_test)\.go$/.test(file) && !file.includes('generated'));
  return new Map(files.flatMap((file) => [...declarationsIn(readFileSync(join(folder, file), 'utf8'))]));
}
