import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Declaration, declarationsIn } from './go-source.ts';
import { messagesOf } from './messages-of.ts';
import { pinnedModules } from './pinned-modules.ts';

const modules = ['k8s.io/api', 'k8s.io/apimachinery'];
/** The structs that a client may send as protobuf: the built-in kinds of the embedded API, and the options of requests. */
const roots: Readonly<Record<string, readonly string[]>> = {
  'k8s.io/api/admissionregistration/v1': ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  'k8s.io/api/apps/v1': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'k8s.io/api/authentication/v1': ['SelfSubjectReview', 'TokenRequest', 'TokenReview'],
  'k8s.io/api/authorization/v1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
  ],
  'k8s.io/api/autoscaling/v2': ['HorizontalPodAutoscaler'],
  'k8s.io/api/batch/v1': ['CronJob', 'Job'],
  'k8s.io/api/coordination/v1': ['Lease'],
  'k8s.io/api/core/v1': [
    'Binding',
    'ConfigMap',
    'Endpoints',
    'Event',
    'LimitRange',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'PodTemplate',
    'ReplicationController',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  'k8s.io/api/discovery/v1': ['EndpointSlice'],
  'k8s.io/api/events/v1': ['Event'],
  'k8s.io/api/networking/v1': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'k8s.io/api/policy/v1': ['PodDisruptionBudget'],
  'k8s.io/api/rbac/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'k8s.io/api/scheduling/v1': ['PriorityClass'],
  'k8s.io/api/storage/v1': ['StorageClass'],
  'k8s.io/apimachinery/pkg/apis/meta/v1': ['DeleteOptions'],
};

/** The text of messages.json, from the pinned Go modules of Kubernetes. Throws GoError if Go cannot get them. */
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
  throw new Error(`the package ${path} is not in ${modules.join(', ')}`);
}

function packageIn(folder: string): ReadonlyMap<string, Declaration> {
  const files = readdirSync(folder).filter((file) => /(?<!_test)\.go$/.test(file) && !file.includes('generated'));
  return new Map(files.flatMap((file) => [...declarationsIn(readFileSync(join(folder, file), 'utf8'))]));
}
