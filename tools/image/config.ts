import { version } from '../../packages/controller/version.ts';
import { certificates, user } from './base.ts';

export const repository = 'knudge/knudge';

/** What runs in the image: the function that an argument names, else the one of Knative's K_SERVICE. */
export const entrypoint = ['/usr/local/bin/node', '--disable-proto=delete', '/app/function.cjs'] as const;

export const environment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  NODE_ENV: 'production',
  [certificates.variable]: certificates.path,
};

/** Where a function listens unless PORT says otherwise. */
export const port = 8080;

export const userAndGroup = `${String(user.id)}:${String(user.id)}`;

/** What an image is made from. */
export interface Origin {
  /** Seconds since 1970: that of the commit, and of every file. */
  readonly createdAt: number;
  /** The commit, if it is known. */
  readonly revision: string | undefined;
}

/** The labels that the image specification of the OCI knows. */
export function labelsOf({ createdAt, revision }: Origin): Readonly<Record<string, string>> {
  return {
    'org.opencontainers.image.title': 'knudge',
    'org.opencontainers.image.description': 'A Kubernetes controller that sleeps until it is nudged',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.created': timeOf(createdAt),
    'org.opencontainers.image.licenses': 'MIT',
    ...(revision !== undefined && { 'org.opencontainers.image.revision': revision }),
  };
}

/** As RFC 3339 has it. */
export function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
