import { ownedLabels } from '../../../packages/controller/decide/owned.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { protocolOf } from '../discovery/pod-backends.ts';
import { adminAccess, fileNames, podLayout, probePaths } from '../envoy/data-plane.ts';
import { envoyArguments } from '../envoy/envoy-config.ts';
import { tokenKey } from '../frp/identity-secret.ts';
import type { ServerProfile } from '../frp/server-profile.ts';
import { annotations, childName, labels } from '../names.ts';
import type { DistributedService } from '../types.ts';
import type { IdentityMark } from './identity-mark.ts';

interface TunnelParts {
  readonly images: { readonly frpc: string; readonly envoy: string };
  readonly profile: ServerProfile;
  /** A hash of the mounted files whose change needs a restart. A change of the Pod template itself restarts the Pod anyway. */
  readonly restartHash: string;
  /** Absent without the gate. */
  readonly identity?: IdentityMark;
  /** Whether frpc has a proxy, which the FRP server can accept or refuse. */
  readonly isPublished: boolean;
}

/**
 * The tunnel: frpc and Envoy in one Pod. One replica and `Recreate`: a proxy name and a udp port can exist at the FRP
 * server only once, and a new Pod that is refused would try again after half a minute only. None while a Pod is there that mounts
 * another identity token.
 */
export function tunnelDeployment(owner: DistributedService, parts: TunnelParts): KubeObject {
  const { name, namespace = '' } = owner.metadata;
  const podLabels = { ...ownedLabels(owner), [labels.tunnel]: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: childName(name, 'tunnel'), namespace, labels: { [labels.tunnel]: name } },
    spec: {
      replicas: parts.identity?.hasOther === true ? 0 : 1,
      // Against a pause or a wait that somebody else sets: one keeps the tunnel from the newest spec, the other from being available.
      paused: false,
      minReadySeconds: 0,
      revisionHistoryLimit: 2,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: podLabels },
      template: {
        metadata: { labels: podLabels, annotations: templateAnnotations(parts) },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 10,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65532,
            runAsGroup: 65532,
            fsGroup: 65532,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [frpc(owner, parts), envoy(owner, parts.images.envoy)],
          volumes: volumes(owner, parts.profile),
        },
      },
    },
  } as KubeObject;
}

function templateAnnotations({ restartHash, identity }: TunnelParts): Readonly<Record<string, string>> {
  const mark = identity?.mark;
  return { [annotations.restartHash]: restartHash, ...(mark !== undefined && { [annotations.identity]: mark }) };
}

function frpc({ spec }: DistributedService, { images, profile, isPublished }: TunnelParts): object {
  const identity = profile.login.kind === 'none' ? [] : [mount('identity', podLayout.identityPath)];
  const tls = spec.security.mtls.enabled ? [mount('tls', podLayout.tlsPath)] : [];
  return {
    name: 'frpc',
    image: images.frpc,
    // The image's entry point is frpc too. The command is named so that every image with frpc on its path works.
    command: ['frpc'],
    args: ['-c', `${podLayout.configPath}/${fileNames.frpc}`],
    env: [podUid],
    // frpc dials a lost server again within two seconds. After four seconds the reason that it gives is the one that lasts.
    ...(isPublished && { readinessProbe: { ...probe(probePaths.published, 4), periodSeconds: 1 } }),
    volumeMounts: [mount('config', podLayout.configPath), ...identity, ...tls],
    resources: { requests: { cpu: '5m', memory: '24Mi' }, limits: { memory: '128Mi' } },
    securityContext: restricted,
  };
}

function envoy({ spec }: DistributedService, image: string): object {
  return {
    name: 'envoy',
    image,
    command: ['envoy'],
    args: [...envoyArguments],
    ports: [
      { name: 'ingress', containerPort: podLayout.ingressPort, protocol: protocolOf(spec) },
      { name: 'probe', containerPort: podLayout.probePort, protocol: 'TCP' },
    ],
    env: [podUid],
    startupProbe: probe(probePaths.ready, mostFailures),
    readinessProbe:
      spec.loadBalancing.healthCheck !== undefined ? probe(probePaths.backends, 2) : probe(probePaths.ready, 3),
    volumeMounts: [mount('config', podLayout.configPath), mount('endpoints', podLayout.endpointsPath)],
    resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '192Mi' } },
    securityContext: restricted,
  };
}

/**
 * A probe through which the kubelet reports what Envoy knows: each change of a Pod's status is an event, and no other event reports it. A
 * started container means that Envoy is up, the readiness of Envoy that a backend is healthy, and the readiness of frpc that the server
 * has accepted the proxy. The status reports a probe that fails, and no container restarts because of it.
 */
function probe(path: string, failureThreshold: number): object {
  const httpGet = { path, port: podLayout.probePort };
  return { httpGet, periodSeconds: 2, timeoutSeconds: 1, failureThreshold };
}

/** The greatest number that the API allows: the status reports an Envoy that does not start, and the kubelet does not restart it. */
const mostFailures = 2 ** 31 - 1;

/** The uid of the Pod is the password of frpc's admin API, which nobody outside of the Pod needs. */
const podUid = { name: adminAccess.password, valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } };

/** Files of Secrets are readable by the group that the Pod runs as, and by nobody else. */
const secretMode = 0o440;

function volumes({ metadata, spec }: DistributedService, profile: ServerProfile): readonly object[] {
  const { enabled, autoGenerate, secretName } = spec.security.mtls;
  const certificate = autoGenerate ? childName(metadata.name, 'tls') : secretName;
  return [
    { name: 'config', configMap: { name: childName(metadata.name, 'config') } },
    { name: 'endpoints', configMap: { name: childName(metadata.name, 'endpoints') } },
    ...identity(childName(metadata.name, 'identity'), profile),
    ...(enabled ? [{ name: 'tls', secret: { secretName: certificate, defaultMode: secretMode } }] : []),
  ];
}

/** The volume with the token that the service shows at its login: its own, or that of all services of the server; none if the server wants none. */
function identity(own: string, { login }: ServerProfile): readonly object[] {
  if (login.kind === 'none') return [];
  const secretName = login.kind === 'gate' ? own : login.secretName;
  const items = [{ key: tokenKey, path: fileNames.token }];
  return [{ name: 'identity', secret: { secretName, defaultMode: secretMode, items } }];
}

function mount(name: string, mountPath: string): object {
  return { name, mountPath, readOnly: true };
}

const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
};
