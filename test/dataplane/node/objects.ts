import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import { webServer } from './images.ts';

/** The path by which a backend says that it is healthy, and its file in the container. */
export const healthy = { path: '/healthy', file: '/tmp/healthy' } as const;

/** A web server that says the name of its Pod. */
const podSpec = {
  terminationGracePeriodSeconds: 0,
  containers: [
    {
      name: 'main',
      image: webServer.image,
      command: [
        webServer.program,
        'sh',
        '-c',
        `echo -n "$HOSTNAME" > /tmp/index.html; : > ${healthy.file}; exec ${webServer.program} httpd -f -p 8080 -h /tmp`,
      ],
      ports: [{ name: 'http', containerPort: 8080 }],
      readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 },
    },
  ],
};

/** A backend of the service `web` in `shop` as a Pod that really runs. */
export function backend(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name, labels: { [labels.service]: 'web' } },
    spec: podSpec,
  } as KubeObject;
}

/** A Deployment of `shop` whose Pods are the backends of the service of its name. */
export function workload(name: string): KubeObject {
  const podLabels = { app: name, [labels.service]: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'shop', name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: podLabels }, spec: podSpec },
    },
  } as KubeObject;
}

/** A Pod as the kubelet reports it. */
export interface ToldPod extends KubeObject {
  readonly spec: { readonly nodeName?: string };
  readonly status?: {
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly name: string;
      readonly ready: boolean;
      readonly restartCount: number;
      readonly containerID?: string;
    }[];
  };
}

export function isReady({ status }: ToldPod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
}
