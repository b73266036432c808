import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

/** The condition under which an object is in the chart: undefined for always, `never` if people bring the object themselves. */
export function conditionOf({ kind, metadata: { name } }: KubeObject): string | undefined {
  switch (kind) {
    case 'CustomResourceDefinition':
      return '.Values.crds.install';
    case 'Namespace':
      return '.Values.namespace.create';
    case 'ServiceAccount':
    case 'ClusterRole':
    case 'ClusterRoleBinding':
    case 'Role':
    case 'RoleBinding':
      return '.Values.rbac.create';
    case 'ValidatingAdmissionPolicy':
    case 'ValidatingAdmissionPolicyBinding':
      return '.Values.admission.enabled';
    case 'NetworkPolicy':
      return name.startsWith('first-resync')
        ? 'and .Values.networkPolicies.enabled .Values.firstResync.enabled'
        : '.Values.networkPolicies.enabled';
    default:
      return name.startsWith('first-resync') ? '.Values.firstResync.enabled' : undefined;
  }
}

/** Whether it is left out: the key of a TLS server is not a value of a chart, so people make that Secret themselves. */
export function isLeftOut({ kind }: KubeObject): boolean {
  return kind === 'Secret';
}

/** The same for an object in each variant, also if it is of the cluster in one and of a namespace, or has a suffix, in another. */
export function identityOf({ apiVersion, kind, metadata }: KubeObject): string {
  const name = /^(ClusterRole|ValidatingAdmission)/.test(kind) ? metadata.name.replace(/\.knudge$/, '') : metadata.name;
  return [apiVersion.split('/')[0], kind.replace(/^Cluster(?=Role)/, ''), name].join(' ');
}

/** The file of an object below templates/: all objects with the name of one function or source are together. */
export function fileOf({ kind, metadata: { name } }: KubeObject): string {
  if (kind === 'CustomResourceDefinition') return `crds/${name.split('.')[0]}.yaml`;
  if (kind.startsWith('ValidatingAdmission')) return 'admission.yaml';
  if (kind === 'NetworkPolicy') return 'network-policies.yaml';
  if (kind === 'PodMonitor' || kind === 'PrometheusRule') return 'prometheus.yaml';
  if (kind === 'ConfigMap' && name.startsWith('knudge-dashboard-')) return 'dashboards.yaml';
  if (kind === 'EventPolicy') return 'event-policies.yaml';
  if (kind === 'Namespace') return 'namespace.yaml';
  if (kind === 'Broker') return 'broker.yaml';
  const bare = name.replace(/^knudge-/, '');
  if (/^first-resync/.test(bare)) return 'first-resync.yaml';
  if (/^frps/.test(bare)) return 'frps.yaml';
  if (bare === 'resync-lease') return 'resync-due.yaml';
  return `${bare}.yaml`;
}

/** The annotations of an object for Helm. */
export function annotationsOf({ kind }: KubeObject): Readonly<Record<string, string>> | undefined {
  // Their objects would go with them, so neither an uninstall nor crds.install=false deletes them.
  if (kind === 'CustomResourceDefinition') return { 'helm.sh/resource-policy': 'keep' };
  // A Job cannot be changed, so each installation and upgrade makes it again, after everything else.
  if (kind === 'Job') {
    return { 'helm.sh/hook': 'post-install,post-upgrade', 'helm.sh/hook-delete-policy': 'before-hook-creation' };
  }
  return undefined;
}
