import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Observed } from '../../../packages/controller/domain/plan.ts';
import { refuseAddress } from '../discovery/addresses.ts';
import { inputs, tokenRef } from '../inputs.ts';
import { labels } from '../names.ts';
import { isForUse, noToken, notForUse, sentenceOfUse } from '../parents/secret-use.ts';
import type { DistributedService } from '../types.ts';
import { parseServerProfile, type ServerProfile } from './server-profile.ts';

export type ProfileFinding =
  | { readonly is: 'usable'; readonly profile: ServerProfile; readonly configMap: KubeObject }
  | { readonly is: 'missing' | 'ambiguous' | 'invalid'; readonly reason: string; readonly message: string };

/** Finds the server profile of a service: in its own namespace, else in the controller's. */
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
  return refused(profile, apiServer) ?? unusable(owner, profile, found) ?? { is: 'usable', profile, configMap };
}

/**
 * The reason why the token that the server wants cannot be used. Its Secret must be marked for use, because a tenant may have made the
 * profile and may run the server.
 */
function unusable(
  owner: DistributedService,
  { login }: ServerProfile,
  found: Observed['inputs'],
): ProfileFinding | undefined {
  if (login.kind !== 'token') return undefined;
  const ref = tokenRef(owner, login.secretName);
  const [secret] = found.get(inputs.serverToken) ?? [];
  if (secret !== undefined && isForUse(secret)) return undefined;
  if (secret !== undefined) return { is: 'invalid', reason: notForUse.token, message: sentenceOfUse(ref) };
  const how = `create it with the server's token below the key token, and with the label ${labels.use}=true`;
  return { is: 'invalid', reason: noToken, message: `Secret ${ref.namespace}/${ref.name} does not exist: ${how}` };
}

/** The reason why no tunnel may reach the server. Tunnels run inside the cluster, and could reach addresses that only its own parts should reach. */
function refused({ address, configMap }: ServerProfile, apiServer: string | undefined): ProfileFinding | undefined {
  const why = refuseAddress(address, apiServer);
  if (why === undefined) return undefined;
  const message = `ConfigMap ${configMap.namespace}/${configMap.name}: key "address" is ${address}, and ${why}`;
  return { is: 'invalid', reason: 'ServerProfileInvalid', message };
}
