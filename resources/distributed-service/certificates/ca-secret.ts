import { isLeaving } from '../../../packages/controller/decide/children.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { manager } from '../../../packages/controller/domain/names.ts';
import type { Write } from '../../../packages/controller/domain/plan.ts';
import type { KeyPair } from '../../../packages/issuing/types.ts';
import { authorityRef } from '../inputs.ts';
import { labels } from '../names.ts';
import { encodeBase64, textOf } from './key-pair.ts';

/** An authority and its successor, if there is one: it is made some time before it takes the authority's place. */
export interface Authorities {
  readonly authority: KeyPair;
  readonly next?: KeyPair;
}

/** `ca.crt` is the bundle that FRP servers must trust: each authority that may have signed a leaf in use. */
const keys = { nextCertificate: 'next.crt', nextKey: 'next.key', bundle: 'ca.crt' } as const;

/**
 * The Secret with the certificate authority of a server profile, beside the profile. It has no owner, so that it outlives a ConfigMap that
 * is replaced or renamed: the FRP servers still trust it. A POST creates it, and a change names the version that was read. So two
 * instances that make one at the same time both go on with the one that was stored.
 */
export function authoritySecret(namespace: string, name: string, authority: KeyPair): KubeObject {
  return secretOf(authorityRef(namespace, name), name, { authority });
}

/** The writes that bring these authorities into the stored Secret; none if it has them, is being deleted or is immutable. */
export function authorityWrites(live: KubeObject, name: string, stored: Authorities): readonly Write[] {
  if (isLeaving(live)) return [];
  const object = secretOf(authorityRef(live.metadata.namespace ?? '', name), name, stored);
  const wanted = dataOf(stored);
  const isOver = stored.next === undefined && nextOf(live) !== undefined;
  const isSame = !isOver && Object.entries(wanted).every(([key, value]) => textOf(live, key) === value);
  if (!isSame) return isFixed(live) ? [] : [{ do: 'apply', object, live }];
  // Older versions made the ConfigMap its owner: with that reference it would be deleted together with the ConfigMap.
  const strays = (live.metadata.ownerReferences ?? [])
    .filter(({ kind }) => kind === 'ConfigMap')
    .map(({ uid }) => ['f:metadata', 'f:ownerReferences', `k:${JSON.stringify({ uid })}`]);
  return strays.length === 0 ? [] : [{ do: 'apply', object, live, strays }];
}

/** The stored successor, with an empty text for a part that is missing. Undefined if the successor has taken the authority's place already. */
export function nextOf(secret: KubeObject): KeyPair | undefined {
  const [certificate = '', key = ''] = [textOf(secret, keys.nextCertificate), textOf(secret, keys.nextKey)];
  return certificate + key === '' || certificate === textOf(secret, 'tls.crt') ? undefined : { certificate, key };
}

interface MaybeFixed extends KubeObject {
  readonly immutable?: boolean;
}

/** Whether somebody made the Secret immutable. Then its authority stays until it expires or the Secret is deleted. */
export function isFixed({ immutable }: MaybeFixed): boolean {
  return immutable === true;
}

function secretOf(ref: ReturnType<typeof authorityRef>, profile: string, stored: Authorities): KubeObject {
  const { apiVersion, kind, namespace, name } = ref;
  const data = Object.fromEntries(Object.entries(dataOf(stored)).map(([key, text]) => [key, encodeBase64(text)]));
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels: { [labels.managedBy]: manager, [labels.authority]: profile } },
    type: 'kubernetes.io/tls',
    data,
  } as KubeObject;
}

function dataOf({ authority, next }: Authorities): Readonly<Record<string, string>> {
  const trusted = [authority, ...(next === undefined ? [] : [next])];
  return {
    'tls.crt': authority.certificate,
    'tls.key': authority.key,
    ...(next && { [keys.nextCertificate]: next.certificate, [keys.nextKey]: next.key }),
    [keys.bundle]: trusted.map(({ certificate }) => `${certificate.trim()}\n`).join(''),
  };
}
