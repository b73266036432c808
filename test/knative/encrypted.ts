import { issueAuthority, issueLeaf } from '../../packages/issuing/issue.ts';
import { kubectl } from './installed.ts';

const eventing = ['--namespace', 'knative-eventing'];

/** What Knative's issuers have cert-manager make: who serves by https inside of Knative, and the Secret of each. */
const servers = {
  'mt-broker-ingress-server-tls': 'broker-ingress',
  'mt-broker-filter-server-tls': 'broker-filter',
  'imc-dispatcher-server-tls': 'imc-dispatcher',
} as const;

/** The controller of Knative Eventing waits for this kind as soon as encryption is on; there are no objects of it. */
const certificates = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'certificates.cert-manager.io' },
  spec: {
    group: 'cert-manager.io',
    names: { kind: 'Certificate', plural: 'certificates', singular: 'certificate' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** Stands in for cert-manager and Knative's issuers, and has Knative's settings put back afterwards. */
export function encrypted() {
  let settings = '{}';
  return {
    issue: async (): Promise<void> => {
      settings = await kubectl([...eventing, 'get', 'configmap', 'config-features', '--output=jsonpath={.data}']);
      await kubectl(['apply', '--filename', '-'], JSON.stringify(certificates));
      const items = await secrets();
      await kubectl(['apply', '--filename', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    },
    remove: async (): Promise<void> => {
      const patch = JSON.stringify({ data: JSON.parse(settings) as object });
      await kubectl([...eventing, 'patch', 'configmap', 'config-features', '--type=merge', '--patch', patch]);
      await kubectl([...eventing, 'delete', 'secrets', '--ignore-not-found', ...Object.keys(servers)]);
      await kubectl(['delete', 'crd', certificates.metadata.name, '--wait=false', '--ignore-not-found']);
    },
  };
}

async function secrets(): Promise<readonly object[]> {
  const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
  const life = { notBefore: at(-60_000), notAfter: at(3_600_000) };
  const authority = await issueAuthority({ commonName: 'knative-eventing-ca', ...life });
  const made = Object.entries(servers).map(async ([name, service]) => {
    const dnsNames = [`${service}.knative-eventing.svc.cluster.local`, `${service}.knative-eventing.svc`];
    const { certificate, key } = await issueLeaf({
      authority,
      commonName: service,
      dnsNames,
      usage: 'server',
      ...life,
    });
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'knative-eventing' },
      type: 'kubernetes.io/tls',
      stringData: { 'ca.crt': authority.certificate, 'tls.crt': certificate, 'tls.key': key },
    };
  });
  return Promise.all(made);
}
