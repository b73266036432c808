import { type ChangeStem, functions } from '../../functions/table.ts';
import { storedKind } from '../../packages/controller/domain/known-kinds.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { parentKinds } from '../../resources/managed/kinds.ts';
import { object } from '../build/objects.ts';

/** What no forged event may cost. */
export const mostReads = 20;

const claims = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`claim.frp.io/${at.toString(36)}`, 'held']));

/** Every label that means something, and an owner, all of them of things that are not there. */
const invented = {
  ...claims,
  'frp.io/service': 'nothere',
  'frp.io/tunnel': 'nothere-either',
  'frp.io/server-profile': 'default',
  'frp.io/certificate-authority': 'default',
  'knudge.dev/owner-uid': 'x',
};
const names = ['nothere', 'frp-default-ca', 'frp-nothere-balanced'];

/** Events of this function about things that are not there, each with everything that could lead on. */
export function hintsOf(stem: ChangeStem): readonly KubeObject[] {
  const { apiVersion = '', kind = '' } = storedKind(functions[stem].kind) ?? {};
  return ['shop', 'knudge'].flatMap((namespace) =>
    names.flatMap((name) =>
      parentKinds.map((parent) => {
        const owner = { ...parent, name: 'nothere-too', uid: 'x', controller: true };
        return object(`${apiVersion} ${kind}`, name, {
          metadata: { namespace, labels: invented, ownerReferences: [owner] },
        });
      }),
    ),
  );
}
