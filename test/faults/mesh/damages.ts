import type { Stem } from '../../../functions/table.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';
import { hashOf } from '../../../packages/controller/react/hash.ts';
import { claimRef } from '../../../resources/distributed-service/claims/claim-objects.ts';
import { wantsOf } from '../../../resources/distributed-service/claims/wants.ts';
import { fileNames } from '../../../resources/distributed-service/envoy/data-plane.ts';
import { type ChildRole, childName, childRoles } from '../../../resources/distributed-service/names.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';
import { messagePodName } from '../../build/message-pod-name.ts';
import type { Random } from '../input/random.ts';
import { autoPod, pickedPod } from './objects.ts';
import type { Person } from './person.ts';

/** One thing that somebody does, and the function that must notice it. */
export interface UserChange {
  readonly wakes: Stem;
  readonly say: string;
  readonly do: () => Promise<void>;
}

export type Make = () => UserChange;

interface Around {
  readonly namespace: string;
  readonly pick: (kind: 'Message' | 'DistributedService') => KubeObject;
  /** A service that has a port at its FRP server. */
  readonly pickExposed: () => DistributedService;
  readonly random: Pick<Random, 'below' | 'oneOf'>;
  readonly person: Person;
}

/** What somebody does to what Knudge made, and to what it looks at. */
export function damages({
  namespace,
  pick,
  pickExposed,
  random,
  person,
}: Around): Readonly<Partial<Record<Stem, readonly Make[]>>> {
  const of = (role: ChildRole, name = pick('DistributedService').metadata.name): ObjectRef => ({
    ...childRoles[role],
    namespace,
    name: childName(name, role),
  });
  const saying = (ref: ObjectRef): string => `${ref.kind} ${ref.name}`;
  const kill = (wakes: Stem, ref: () => ObjectRef) => (): UserChange => {
    const target = ref();
    return { wakes, say: `delete ${saying(target)} by hand`, do: () => person.delete(target) };
  };
  const spoil = (wakes: Stem, ref: () => ObjectRef, how: Readonly<Record<string, unknown>>) => (): UserChange => {
    const target = ref();
    return { wakes, say: `spoil ${saying(target)}`, do: () => person.patch(target, how) };
  };
  const replace = (wakes: Stem, pod: KubeObject) => (): UserChange => ({
    wakes,
    say: `replace Pod ${pod.metadata.name}`,
    do: async () => {
      await person.delete(refOf(pod));
      await person.create(pod);
    },
  });
  const messagePod = (): ObjectRef => ({
    apiVersion: 'v1',
    kind: 'Pod',
    namespace,
    name: messagePodName(pick('Message').metadata.name),
  });
  const claim = (): ObjectRef => {
    const { spec } = pickExposed();
    const place = { server: `${namespace}/${spec.serverProfile}`, hash: hashOf, controllerNamespace: 'knudge' };
    return claimRef(random.oneOf(wantsOf(spec, {})), place);
  };
  const taken = { metadata: { labels: { [labels.managedBy]: 'somebody' } } };
  const emptied = (): UserChange => {
    const role = random.oneOf(['config', 'endpoints'] as const);
    const data = { [role === 'config' ? fileNames.frpc : fileNames.endpoints]: '{}' };
    return spoil('config-map-changed', () => of(role), { data })();
  };
  return {
    'pod-changed': [
      kill('pod-changed', messagePod),
      spoil('pod-changed', messagePod, taken),
      replace('pod-changed', autoPod(namespace)),
    ],
    'service-changed': [
      kill('service-changed', () => of('balanced')),
      spoil('service-changed', () => of('balanced'), taken),
    ],
    'config-map-changed': [kill('config-map-changed', () => of(random.oneOf(['config', 'endpoints']))), emptied],
    'secret-changed': [kill('secret-changed', () => of('identity')), kill('secret-changed', () => of('tls', 'manual'))],
    'deployment-changed': [
      kill('deployment-changed', () => of('tunnel')),
      spoil('deployment-changed', () => of('tunnel'), { spec: { replicas: 3 } }),
    ],
    'claim-changed': [kill('claim-changed', claim)],
    'endpoint-slice-changed': [replace('endpoint-slice-changed', pickedPod(namespace))],
  };
}
