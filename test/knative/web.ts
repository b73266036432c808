import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { type ChildRole, childName, childRoles } from '../../resources/distributed-service/names.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import { distributedService, object } from '../build/objects.ts';
import { places } from './places.ts';

const namespace = places.tunnels;
const labels = { app: 'web' };

/** The name by which clients ask the FRP server. */
export const webHost = 'web.knudge.test';

/** A service that has every child there is: its backends are those of a Deployment, found by a selector. */
export function web(): DistributedService {
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } as const;
  return distributedService(
    'web',
    {
      serviceType: 'http',
      backends: { discovery: 'selector', selector: { matchLabels: labels }, port: 8080, replicas: 1, workloadRef },
      security: { mtls: { enabled: true, autoGenerate: true } },
      expose: { domains: [webHost] },
    },
    { namespace },
  );
}

/** Each child of it, as it is called. */
export const childrenOfWeb = (Object.keys(childRoles) as readonly ChildRole[]).map((role) => ({
  role,
  ...childRoles[role],
  name: childName('web', role),
}));

/** Web servers that say the name of their Pod. */
export function workload(): KubeObject {
  const script = 'mkdir -p /tmp/www; printf %s "$HOSTNAME" > /tmp/www/index.html; exec httpd -f -p 8080 -h /tmp/www';
  const container = {
    name: 'main',
    image: 'docker.io/library/busybox:1.37.0',
    command: ['/bin/sh', '-c', script],
    ports: [{ containerPort: 8080 }],
    readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 },
  };
  return object('apps/v1 Deployment', 'web', {
    metadata: { namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { terminationGracePeriodSeconds: 0, containers: [container] },
      },
    },
  });
}
