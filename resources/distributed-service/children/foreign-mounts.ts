import { isLeaving, preconditionOf } from '../../../packages/controller/decide/children.ts';
import { type Belonging, belongsTo } from '../../../packages/controller/decide/owned.ts';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Observed, Write } from '../../../packages/controller/domain/plan.ts';
import type { ProfileFinding } from '../frp/profile.ts';
import type { ChildRole } from '../names.ts';
import type { DistributedService } from '../types.ts';

/** The owner of the objects that the Pod of the tunnel mounts by name: `foreign` if one is foreign, else `outgoing` if one is, else `ours`. */
export function mountsOf({ owner, children }: Observed<DistributedService>, profile: ProfileFinding): Belonging {
  const roles: readonly ChildRole[] = ['config', 'endpoints', ...secretsOf(owner, profile)];
  const all = roles.flatMap((role) => {
    const child = children.get(role);
    return child === undefined ? [] : [belongsTo(child, owner)];
  });
  return all.find((one) => one === 'foreign') ?? all.find((one) => one === 'outgoing') ?? 'ours';
}

function secretsOf({ spec }: DistributedService, profile: ProfileFinding): readonly ChildRole[] {
  const { enabled, autoGenerate } = spec.security.mtls;
  const hasIdentity = profile.is !== 'usable' || profile.profile.login.kind === 'gate';
  return [...(hasIdentity ? (['identity'] as const) : []), ...(enabled && autoGenerate ? (['tls'] as const) : [])];
}

interface Scaled extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

/**
 * Scales a tunnel to zero if an object that it mounts belongs to somebody else by now: its next Pod would run the files of that object, and
 * Envoy reads its endpoints from there at once. The Deployment stays otherwise as it is, and runs again when the objects are ours again.
 */
export function stopping({ owner, children }: Observed<DistributedService>, mounts: Belonging): readonly Write[] {
  const tunnel: Scaled | undefined = children.get('tunnel');
  if (mounts !== 'foreign' || tunnel === undefined || isLeaving(tunnel)) return [];
  if (belongsTo(tunnel, owner) !== 'ours' || tunnel.spec?.replicas === 0) return [];
  return [{ do: 'scale', ref: refOf(tunnel), precondition: preconditionOf(tunnel), replicas: 0 }];
}
