import type { Architecture } from '../../packages/image/architecture.ts';
import type { Origin } from '../../packages/image/config.ts';
import { version } from '../../packages/start/version.ts';
import { repository } from './config.ts';

/** An attestation as in-toto has it (Statement, version 1): a statement about files or images. */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly Subject[];
  readonly predicateType: string;
  readonly predicate: object;
}

/** A file or image that the statement is about, by its checksum. */
export interface Subject {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** The image by the digest of its manifest, and the file that it was packed into. */
export interface Product {
  /** With `sha256:` before it. */
  readonly digest: string;
  readonly archive: { readonly name: string; readonly sha256: string };
}

/** One run of a build: all that differs between two builds of the same commit. */
export interface Invocation {
  readonly id: string;
  /** As RFC 3339 has it. */
  readonly startedOn: string;
  readonly finishedOn: string;
}

interface Build {
  readonly arch: Architecture;
  readonly origin: Origin;
  /** The list of the image's parts. */
  readonly parts: object;
  /** SHA-256 of package-lock.json, which pins every tool that took part. */
  readonly lockfile: string;
  readonly invocation: Invocation;
}

/** The name of `npm run image` in provenance; docs/image.md explains its parameters. */
const buildType = 'urn:knudge:build:npm-run-image:v1';

/** How an image was built, as SLSA 1 has it. The same build gives the same statement, except for the invocation. */
export function provenanceOf(product: Product, build: Build): Statement {
  const { arch, origin, parts, lockfile, invocation } = build;
  const { id: invocationId, startedOn, finishedOn } = invocation;
  return statementOf(product, 'https://slsa.dev/provenance/v1', {
    buildDefinition: {
      buildType,
      externalParameters: {
        architecture: arch.debian,
        version,
        sourceDateEpoch: origin.createdAt,
        ...(origin.revision !== undefined && { revision: origin.revision }),
      },
      internalParameters: { node: process.versions.node },
      resolvedDependencies: [
        ...sourceOf(origin),
        { name: 'package-lock.json', digest: { sha256: lockfile } },
        ...dependenciesIn(parts),
      ],
    },
    runDetails: {
      builder: { id: 'urn:knudge:builder:holder-of-the-key' },
      metadata: { invocationId, startedOn, finishedOn },
    },
  });
}

/** The list of an image's parts as an attestation. */
export function partsStatementOf(product: Product, parts: object): Statement {
  return statementOf(product, 'https://cyclonedx.org/bom', parts);
}

function statementOf({ digest, archive }: Product, predicateType: string, predicate: object): Statement {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: repository, digest: { sha256: digest.replace('sha256:', '') } },
      { name: archive.name, digest: { sha256: archive.sha256 } },
    ],
    predicateType,
    predicate,
  };
}

/** The commit, if the image is made of it and of nothing else. */
function sourceOf({ revision = '' }: Origin): readonly object[] {
  return /^[0-9a-f]{40}$/.test(revision) ? [{ name: 'source', digest: { gitCommit: revision } }] : [];
}

interface Component {
  readonly purl: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

function dependenciesIn(parts: object): readonly object[] {
  const { components } = parts as { readonly components: readonly Component[] };
  return components.map(({ purl, hashes }) => ({
    uri: purl,
    digest: Object.fromEntries(hashes.map(({ alg, content }) => [alg.replace('-', '').toLowerCase(), content])),
  }));
}
