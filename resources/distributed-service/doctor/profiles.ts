import { type Found, ok, problem, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import type { OwnSeen } from '../../../packages/controller/doctor/own-checks.ts';
import { parseServerProfile } from '../frp/server-profile.ts';

const none = { why: 'they were not read' } as const;

/** Checks that every server profile is valid and its FRP server takes a connection from here. */
export function judgeProfiles({ lists: { profiles = none }, unreachable, parents }: OwnSeen): readonly Found[] {
  if ('why' in profiles) return [unchecked(`the server profiles (${profiles.why})`)];
  const services = 'why' in parents ? [] : parents.value.filter(({ kind }) => kind === 'DistributedService');
  if (profiles.value.length === 0 && services.length > 0) {
    const why = `${services.length} DistributedService${services.length === 1 ? '' : 's'} cannot run without an FRP server`;
    return [problem('there is no server profile', why, 'make a ConfigMap as examples/server-profile.yaml shows it')];
  }
  return profiles.value.map((one) => {
    const profile = parseServerProfile(one);
    const { namespace, name } = one.metadata;
    if ('problem' in profile) {
      return problem(
        profile.problem,
        'its services are Failed',
        `kubectl edit configmap ${name} --namespace ${namespace}`,
      );
    }
    const place = `${profile.address}:${profile.port}`;
    const title = `FRP server ${profile.name} (ConfigMap ${namespace}/${name}) at ${place}`;
    if (!unreachable.has(place)) return unchecked(`${title}`);
    const why = unreachable.get(place);
    if (why === undefined) return ok(`${title} takes a connection from this machine`);
    if (isOfCluster(profile.address) && why !== 'ECONNREFUSED')
      return unchecked(`whether ${title} takes a connection: only the DNS of the cluster knows that name`);
    return warning(
      `${title} takes no connection from this machine: ${why}`,
      'if the cluster cannot reach it either, none of its services is reachable',
      'try it from a Pod of the cluster, and see the log of the FRP server',
    );
  });
}

/** Whether it is the name of a Service, `frps.knudge.svc.cluster.local`, under any cluster domain. */
function isOfCluster(address: string): boolean {
  return /\.svc(\.|$)/.test(address);
}
