import type { ChangeStem } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { object } from '../build/objects.ts';

/** What no forged event may cost. */
export const mostReads = 20;

const kinds: Readonly<Record<ChangeStem, string>> = {
  'distributed-service-changed': 'frp.io/v1beta1 DistributedService',
  'message-changed': 'myorg.dev/v1 Message',
  'claim-changed': 'frp.io/v1beta1 Claim',
  'pod-changed': 'Pod',
  'service-changed': 'Service',
  'config-map-changed': 'ConfigMap',
  'secret-changed': 'Secret',
  'deployment-changed': 'apps/v1 Deployment',
  'endpoint-slice-changed': 'discovery.k8s.io/v1 EndpointSlice',
};

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
const ownerOf = (kind: string) => ({ apiVersion: kind === 'Message' ? 'myorg.dev/v1' : 'frp.io/v1beta1', kind });

const names = ['nothere', 'frp-default-ca', 'frp-nothere-balanced'];

/** Events of this function about things that are not there, each with everything that could lead on. */
export function hintsOf(stem: ChangeStem): readonly KubeObject[] {
  return ['shop', 'knudge'].flatMap((namespace) =>
    names.flatMap((name) =>
      ['DistributedService', 'Message'].map((kind) => {
        const owner = { ...ownerOf(kind), name: 'nothere-too', uid: 'x', controller: true };
        return object(kinds[stem], name, { metadata: { namespace, labels: invented, ownerReferences: [owner] } });
      }),
    ),
  );
}
