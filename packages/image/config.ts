import { certificates, user } from './base.ts';

/** The command of an image: the function that an argument names, else the one of Knative's K_SERVICE. */
export const entrypoint = ['/usr/local/bin/node', '--disable-proto=delete', '/app/function.cjs'] as const;

export const environment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  NODE_ENV: 'production',
  [certificates.variable]: certificates.path,
};

/** The port of a function unless PORT says otherwise. */
export const port = 8080;

export const userAndGroup = `${String(user.id)}:${String(user.id)}`;

/** The commit that an image is made from. */
export interface Origin {
  /** Seconds since 1970: the time of the commit, and of every file. */
  readonly createdAt: number;
  /** The commit, if it is known. */
  readonly revision: string | undefined;
}

/** What an image says of itself. */
export interface About {
  /** The name by which manifests mean it, without the version: `knudge/knudge`. */
  readonly repository: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  /** In the notation of SPDX. */
  readonly license: string | undefined;
  /** The command that builds it. */
  readonly madeBy: string;
}

/** The labels that the OCI's image specification defines. */
export function labelsOf(
  { title, description, version, license }: Omit<About, 'repository' | 'madeBy'>,
  { createdAt, revision }: Origin,
): Readonly<Record<string, string>> {
  return {
    'org.opencontainers.image.title': title,
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.created': timeOf(createdAt),
    ...(license !== undefined && { 'org.opencontainers.image.licenses': license }),
    ...(revision !== undefined && { 'org.opencontainers.image.revision': revision }),
  };
}

/** In the form of RFC 3339. */
export function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
