import { hashOf } from '../../../packages/controller/react/hash.ts';
import { exposedProxy } from '../../../resources/distributed-service/frp/exposed-proxy.ts';
import { admit } from '../../../resources/distributed-service/gate/admit.ts';
import { problemOf } from '../../../resources/distributed-service/spec/problem.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';

export type Asked = ReadonlyMap<string, unknown>;

/** What a client asks for that wants just what the spec says. */
export function askedBy({ metadata, spec }: DistributedService): Asked | undefined {
  if (problemOf(spec) !== undefined) return undefined;
  const { name, namespace = '' } = metadata;
  const own = exposedProxy({ name, namespace, spec });
  if (own === undefined) return undefined;
  return new Map<string, unknown>([
    ['proxy_name', own.name],
    ['proxy_type', own.type],
    ['remote_port', own.remotePort],
    ['custom_domains', own.customDomains],
    ['subdomain', own.subdomain],
    ['locations', own.locations],
  ]);
}

/** Whether the gate that is tried lets it in, as if every Claim were its own: those the gate reads, and here its word alone is asked for. */
export function isLetIn(service: DistributedService, proxy: Asked): boolean {
  const { metadata, status } = service;
  const { name, namespace = '', uid = '' } = metadata;
  const claim = { namespace, name, uid, identity: status?.identityDigest ?? '' };
  const question = { op: 'new-proxy', server: status?.serverProfile ?? '', claim, proxy } as const;
  return admit(question, { service }, { isSame: (one, other) => one === other, hash: hashOf }).is === 'in';
}
