import { KnudgeError } from '../controller/domain/errors.ts';
import type { MeshSpec } from './mesh-spec.ts';

/** Throws a sentence if the manifests need what one machine does not have: tokens for events, or a Secret of a cluster. */
export function refuseUnrunnable({ functions }: MeshSpec, env: Readonly<Record<string, string>>): void {
  const guarded = functions.filter(({ env: own }) => own['OIDC_ISSUER'] !== undefined);
  const faults = functions.flatMap(({ namespace, name, envOfCluster }) =>
    envOfCluster
      .filter((key) => !env[key])
      .map(
        (key) => `Service ${namespace}/${name} has its ${key} from an object of a cluster: set ${key} in this shell`,
      ),
  );
  if (guarded.length > 0) {
    const names = guarded.map(({ name }) => name).join(', ');
    faults.push(`${names} ask for tokens (OIDC_ISSUER), which a mesh cannot make: leave out that overlay`);
  }
  if (faults.length > 0) throw new KnudgeError('misuse', faults.join('\n'));
}
