import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { backendPod, distributedService, serverProfile } from '../../build/objects.ts';

/** Backends that nobody has to look for. */
export const manual = {
  backends: { discovery: 'manual', port: 8080, replicas: 1, endpoints: [{ host: '10.9.0.1', weight: 1 }] },
} as const;

/** One service for each way to find its backends, one of them with certificates. */
export function servicesIn(namespace: string): readonly KubeObject[] {
  const home = { namespace };
  const selector = {
    discovery: 'selector',
    port: 8080,
    replicas: 1,
    selector: { matchLabels: { app: 'picked' } },
  } as const;
  return [
    distributedService('manual', { ...manual, security: { mtls: { enabled: true, autoGenerate: true } } }, home),
    distributedService('auto', { expose: { remotePort: 6999 } }, home),
    distributedService('picked', { backends: selector }, home),
  ];
}

export function backendsIn(namespace: string): readonly KubeObject[] {
  const profile = serverProfile();
  return [{ ...profile, metadata: { ...profile.metadata, namespace } }, autoPod(namespace), pickedPod(namespace)];
}

/** Without a status: whether it is ready says the cluster. */
export function autoPod(namespace: string): KubeObject {
  const { status: _, ...pod } = backendPod('backend-auto', '', 'auto') as KubeObject & { status?: unknown };
  return { ...pod, metadata: { ...pod.metadata, namespace } };
}

export function pickedPod(namespace: string): KubeObject {
  const { metadata, ...pod } = autoPod(namespace);
  return { ...pod, metadata: { ...metadata, name: 'backend-picked', labels: { app: 'picked' } } } as KubeObject;
}
