import type { OwnChecks } from '../../../packages/controller/doctor/own-checks.ts';
import { profileSelector } from '../frp/profile-selector.ts';
import { parseServerProfile } from '../frp/server-profile.ts';
import { judgeProfiles } from './profiles.ts';
import { judgeSecrets } from './secrets.ts';

/** The checks of `knudge doctor` for DistributedServices: server profiles, their FRP servers, and the Secrets that services name. */
export const checks: OwnChecks = {
  lists: {
    profiles: { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', labelSelector: profileSelector },
  },
  addresses: ({ profiles }) =>
    (profiles === undefined || 'why' in profiles ? [] : profiles.value).flatMap((one) => {
      const profile = parseServerProfile(one);
      return 'problem' in profile ? [] : [{ host: profile.address, port: profile.port }];
    }),
  judges: { profiles: judgeProfiles, secrets: judgeSecrets },
};
