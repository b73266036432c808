import { type CustomResourceDefinition, isDefinition } from '../../packages/controller/domain/custom-resource.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { version } from '../../packages/start/version.ts';
import { permissionsBy } from './rights.ts';

interface Given {
  readonly objects: readonly KubeObject[];
  /** One object of each kind, for the forms of consoles. */
  readonly examples: readonly unknown[];
  readonly icon: string;
}

/** The level that docs/capabilities.md proves: level 3. */
const capabilities = 'Full Lifecycle';

const descriptions: Readonly<Record<string, string>> = {
  DistributedService: 'Publishes what runs in the cluster through an FRP server outside of it.',
  Message: 'A Pod that prints a text.',
};

const description = `Knudge is a controller that sleeps until it is nudged: Knative's sources report changes, a Broker hands them to functions, and each function makes one
DistributedService or Message what it should be.

**This bundle is half of it.** OLM installs Deployments, and neither Services nor Brokers, Triggers or sources of Knative. So it brings what an administrator has to
allow: the CRDs, the ServiceAccounts and their rights. A person with the right to do that installs the rest into the same namespace, from the Helm chart:

    helm install knudge charts/knudge --namespace <namespace> --set crds.install=false --set rbac.create=false

The admission policies that bound those rights come with the chart: OLM takes none. Until then nothing bounds them, and nothing runs as these accounts.

Knative Serving and Eventing must be there before.`;

/** The ClusterServiceVersion: CRDs, accounts and rights, and no Deployment, because Knudge has none. */
export function clusterServiceVersion({ objects, examples, icon }: Given): unknown {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `knudge.v${version}`,
      annotations: {
        'alm-examples': JSON.stringify(examples, undefined, 2),
        capabilities,
        categories: 'Networking, Application Runtime',
        description: "CRDs, accounts and rights of a controller that sleeps until an event of Knative's nudges it",
      },
    },
    spec: {
      displayName: 'Knudge',
      description,
      version,
      maturity: 'alpha',
      minKubeVersion: '1.30.0',
      provider: { name: 'Knudge' },
      keywords: ['knative', 'eventing', 'serverless', 'frp', 'envoy', 'tunnel'],
      icon: [{ base64data: Buffer.from(icon).toString('base64'), mediatype: 'image/svg+xml' }],
      installModes: [
        { type: 'OwnNamespace', supported: false },
        { type: 'SingleNamespace', supported: false },
        { type: 'MultiNamespace', supported: false },
        { type: 'AllNamespaces', supported: true },
      ],
      customresourcedefinitions: { owned: objects.filter(isDefinition).flatMap(owned) },
      install: {
        strategy: 'deployment',
        spec: {
          deployments: [],
          clusterPermissions: permissionsBy('ClusterRoleBinding', objects),
          permissions: permissionsBy('RoleBinding', objects),
        },
      },
    },
  };
}

function owned({ metadata, spec }: CustomResourceDefinition): readonly unknown[] {
  const { kind } = spec.names;
  return spec.versions
    .filter(({ served }) => served)
    .map(({ name }) => ({
      name: metadata.name,
      version: name,
      kind,
      displayName: kind,
      description: descriptions[kind],
    }));
}
