import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { HandlerContext, Reader } from '../../../packages/controller/domain/ports.ts';
import { parseServerProfile } from '../frp/server-profile.ts';
import { authorityName, childName, childRoles } from '../names.ts';
import type { DistributedService, DistributedServiceSpec } from '../types.ts';
import { noToken, notForUse, secretOfSentence } from './secret-use.ts';
import { servicesNear } from './services.ts';

/**
 * The DistributedServices that use this Secret, as far as its name says: as their certificate, child, authority or token. For an event
 * in reference mode about a Secret that is deleted: it carries a name and nothing else.
 */
export async function servicesNamingSecret(
  { namespace: home, name }: ObjectRef,
  context: Pick<HandlerContext, 'reader' | 'controllerNamespace'>,
): Promise<readonly ObjectRef[]> {
  if (home === '') return [];
  const services = await servicesNear(home, context);
  const known = services.filter((service) => namesSecret(service, name) || mayHaveAuthority(service, { home, name }));
  const others = services.filter((service) => !known.includes(service) && service.metadata.namespace === home);
  return [...known, ...(await showingToken(others, { home, name }, context.reader))].map(refOf);
}

function namesSecret({ metadata, spec }: DistributedService, secret: string): boolean {
  if (mtlsOf(spec)?.secretName === secret) return true;
  return secretRoles.some((role) => childName(metadata.name, role) === secret);
}

interface Place {
  readonly home: string;
  readonly name: string;
}

/** The services whose server wants the token in this Secret: their profile names it, or their status says that they wait for it. */
async function showingToken(
  services: readonly DistributedService[],
  { home, name }: Place,
  reader: Reader,
): Promise<readonly DistributedService[]> {
  const profiles = new Set(services.flatMap(({ status }) => status?.serverProfile ?? []));
  const wanting = new Set<string>();
  for (const used of profiles) {
    const [namespace = '', of = ''] = used.split('/');
    const configMap = await reader.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: of });
    if (configMap !== undefined && tokenSecretOf(configMap) === name) wanting.add(used);
  }
  return services.filter(({ status }) => {
    if (wanting.has(status?.serverProfile ?? '')) return true;
    const found = status?.conditions?.find(({ reason }) => reason === notForUse.token || reason === noToken);
    const awaited = found && secretOfSentence(found.message);
    return awaited?.namespace === home && awaited.name === name;
  });
}

function tokenSecretOf(configMap: KubeObject): string | undefined {
  const profile = parseServerProfile(configMap);
  return 'problem' in profile || profile.login.kind !== 'token' ? undefined : profile.login.secretName;
}

/** A spec that was stored under a laxer definition may lack any part; an event must not stumble over it. */
function mtlsOf(
  spec: Partial<DistributedServiceSpec>,
): Partial<DistributedServiceSpec['security']['mtls']> | undefined {
  return spec.security?.mtls;
}

/** Whether the Secret may hold the authority of this service. It lies beside the profile; a status without a profile excludes no place. */
function mayHaveAuthority({ spec, status }: DistributedService, { home, name }: Place): boolean {
  const { enabled, autoGenerate } = mtlsOf(spec) ?? {};
  if (enabled !== true || autoGenerate !== true || authorityName(spec.serverProfile) !== name) return false;
  return status?.serverProfile === undefined || status.serverProfile.startsWith(`${home}/`);
}

const secretRoles = Object.entries(childRoles).flatMap(([role, { kind }]) =>
  kind === 'Secret' ? [role as keyof typeof childRoles] : [],
);
