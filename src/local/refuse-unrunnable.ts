import { KnudgeError } from '../domain/errors.ts';
import type { MeshSpec } from './mesh-spec.ts';

/** Throws a sentence where the manifests ask for what one machine has not: tokens for events, or what is in a Secret of a cluster. */
export function refuseUnrunnable({ functions }: MeshSpec, env: Readonly<Record<string, string>>): void {
  const faults = functions.flatMap(({ namespace, name, env: own, envOfCluster }) => {
    const who = `Service ${namespace}/${name}`;
    const asksForTokens = own['OIDC_ISSUER'] !== undefined;
    return [
      ...(asksForTokens
        ? [`${who} asks for tokens (OIDC_ISSUER), which nobody makes here: leave that overlay out`]
        : []),
      ...envOfCluster
        .filter((key) => !env[key])
        .map((key) => `${who} has its ${key} from an object of a cluster: set ${key} in this shell`),
    ];
  });
  if (faults.length > 0) throw new KnudgeError('invalid-request', faults.join('\n'));
}
