import type { DistributedService } from '../../domain/distributed-service.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import type { Observed } from '../../domain/plan.ts';
import { parseServerProfile, type ServerProfile } from '../../domain/server-profile.ts';
import { refuseAddress } from './addresses.ts';
import { inputs } from './inputs.ts';

export type ProfileFinding =
  | { readonly is: 'usable'; readonly profile: ServerProfile; readonly configMap: KubeObject }
  | { readonly is: 'missing' | 'ambiguous' | 'invalid'; readonly reason: string; readonly message: string };

/** The server profile of a service: its own namespace goes before the controller's. */
export function findProfile(
  { owner, inputs: found }: Observed<DistributedService>,
  apiServer?: string,
): ProfileFinding {
  const name = owner.spec.serverProfile;
  const own = found.get(inputs.ownProfiles) ?? [];
  const candidates = own.length > 0 ? own : (found.get(inputs.sharedProfiles) ?? []);
  const [configMap, second] = candidates;
  if (configMap === undefined) {
    const message = `No ConfigMap with the label frp.io/server-profile=${name} in this namespace or in the controller's: create one`;
    return { is: 'missing', reason: 'ServerProfileNotFound', message };
  }
  if (second !== undefined) {
    const names = candidates.map(({ metadata }) => metadata.name).sort();
    const message = `Several ConfigMaps in ${configMap.metadata.namespace ?? ''} have the label frp.io/server-profile=${name} (${names.join(', ')}): leave it on one`;
    return { is: 'ambiguous', reason: 'ServerProfileAmbiguous', message };
  }
  const profile = parseServerProfile(configMap);
  if ('problem' in profile) return { is: 'invalid', reason: 'ServerProfileInvalid', message: profile.problem };
  return refused(profile, apiServer) ?? { is: 'usable', profile, configMap };
}

/** The tunnels run inside the cluster: an address must not lead them to where only the cluster's own parts may go. */
function refused({ address, configMap }: ServerProfile, apiServer: string | undefined): ProfileFinding | undefined {
  const why = refuseAddress(address, apiServer);
  if (why === undefined) return undefined;
  const message = `ConfigMap ${configMap.namespace}/${configMap.name}: key "address" is ${address}, and ${why}`;
  return { is: 'invalid', reason: 'ServerProfileInvalid', message };
}
