import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { objectsIn } from '../kube/install.ts';

interface Container {
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly [field: string]: unknown;
}

interface Template {
  readonly serviceAccountName: string;
  readonly securityContext?: object;
  readonly containers: readonly [Container];
  readonly volumes?: readonly { readonly name: string }[];
}

interface Service extends KubeObject {
  readonly spec: { readonly template: { readonly spec: Template } };
}

export interface ManifestPod extends KubeObject {
  readonly spec: Template;
}

/**
 * The Pod of a function as Knative would make it of its manifest, but for the sidecar: with the variables that Knative sets, and
 * its probe. A claim for a volume becomes a volume of the node's, which has no storage to give.
 */
export function podOf(service: string, sink?: string): ManifestPod {
  const found = objectsIn(`deploy/functions/${service}.yaml`).find(({ apiVersion }) =>
    apiVersion.startsWith('serving.'),
  );
  if (found === undefined) throw new Error(`deploy/functions/${service}.yaml has no Knative Service`);
  const { serviceAccountName, securityContext, containers, volumes = [] } = (found as Service).spec.template.spec;
  const [container] = containers;
  const env = (container.env ?? []).map((one) =>
    one.name === 'K_SINK' && sink !== undefined ? { ...one, value: sink } : one,
  );
  const knative = { PORT: '8080', K_SERVICE: service, K_REVISION: `${service}-00001` };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: found.metadata.namespace ?? '', name: service },
    spec: {
      ...{ serviceAccountName, ...(securityContext && { securityContext }), terminationGracePeriodSeconds: 5 },
      volumes: volumes.map(({ name }) => ({ name, emptyDir: {} })),
      containers: [
        {
          ...container,
          ...{ name: 'user-container', imagePullPolicy: 'Never', ports: [{ containerPort: 8080 }] },
          env: [...env, ...Object.entries(knative).map(([name, value]) => ({ name, value }))],
          readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
        },
      ],
    },
  };
}
