import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { fileNames } from '../envoy/data-plane.ts';
import { envoyBootstrap } from '../envoy/envoy-config.ts';
import { frpcConfig } from '../frp/frpc-config.ts';
import type { ServerProfile } from '../frp/server-profile.ts';
import { type ChildRole, childName } from '../names.ts';
import type { DistributedService } from '../types.ts';

/** The files of a tunnel that need a restart when they change: those of frpc, Envoy's bootstrap, the server's CA. */
export function configFiles(
  owner: DistributedService,
  { profile, isPublished }: { readonly profile: ServerProfile; readonly isPublished: boolean },
): Readonly<Record<string, string>> {
  const { metadata, spec } = owner;
  const named = { name: metadata.name, namespace: metadata.namespace ?? '' };
  return {
    [fileNames.frpc]: frpcConfig({ ...named, uid: metadata.uid ?? '', spec, profile, isExposed: isPublished }),
    [fileNames.envoy]: envoyBootstrap({ ...named, spec, ...(isPublished && { server: profile }) }),
    [fileNames.serverAuthority]: profile.authority,
  };
}

/** A ConfigMap of a tunnel: `config` with the files above, or `endpoints` with the file that Envoy watches. */
export function configMap(
  { metadata }: DistributedService,
  role: Extract<ChildRole, 'config' | 'endpoints'>,
  data: Readonly<Record<string, string>>,
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: childName(metadata.name, role), namespace: metadata.namespace ?? '' },
    data,
  } as KubeObject;
}
