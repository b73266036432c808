import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { object } from './objects.ts';

interface Wish {
  readonly name?: string;
  readonly uid?: string;
  readonly address?: string;
  /** What their kubelet says: that the server has taken the proxy, that Envoy is up, that a backend is healthy. */
  readonly published?: boolean;
  readonly envoy?: boolean;
  readonly backends?: boolean;
  readonly isRunning?: boolean;
  /** The version of the endpoints in its annotation. */
  readonly told?: string;
  readonly metadata?: object;
  readonly nodeName?: string;
}

/** The Pod of the tunnel of the service `web`, with the status of its kubelet. */
export function tunnelPod(wish: Wish = {}): KubeObject {
  const { name = 'frp-web-1', uid = 'uid-web', address = '10.1.0.1', isRunning = true, told } = wish;
  const { published = true, envoy = true, backends = envoy } = wish;
  const state = isRunning ? { running: {} } : { waiting: {} };
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'frp-web-x', uid: 'rs', controller: true },
  ];
  return object('Pod', name, {
    ...(wish.nodeName !== undefined && { spec: { nodeName: wish.nodeName } }),
    metadata: {
      labels: { 'frp.io/tunnel': 'web', 'knudge.dev/owner-uid': uid },
      ownerReferences,
      ...(told !== undefined && { annotations: { 'knudge.dev/endpoints': told } }),
      ...wish.metadata,
    },
    status: {
      phase: 'Running',
      podIP: address,
      containerStatuses: [
        { name: 'frpc', ready: published && isRunning, state },
        { name: 'envoy', ready: envoy && backends, started: envoy, state: { running: {} } },
      ],
    },
  });
}
