import { createHash } from 'node:crypto';
import type { Architecture } from '../../packages/image/architecture.ts';
import { type Origin, timeOf } from '../../packages/image/config.ts';
import { type Pin, pins } from '../../packages/image/pins.ts';
import { version } from '../../packages/start/version.ts';
import type { NpmPackage } from './npm-packages.ts';

/** The parts of an image. */
export interface Parts {
  readonly arch: Architecture;
  readonly origin: Origin;
  readonly npm: readonly NpmPackage[];
  readonly node: NodeProgram;
}

export interface NodeProgram {
  readonly version: string;
  /** The checksum of the program itself. */
  readonly sha256: string;
  /** Libraries that are compiled into it, by name, from `process.versions`. */
  readonly contains: Readonly<Record<string, string>>;
}

/** The list of an image's parts, as CycloneDX 1.6 has it. The same parts give the same list. */
export function bomOf(parts: Parts): object {
  const { origin, npm, node, arch } = parts;
  const components = [
    nodeComponent(node, arch),
    ...Object.entries(pins).map(([name, pin]) => debianComponent(name, pin, arch)),
    ...npm.map(npmComponent),
  ];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([components, origin]))}`,
    version: 1,
    metadata: {
      timestamp: timeOf(origin.createdAt),
      component: {
        type: 'application',
        'bom-ref': 'knudge',
        name: 'knudge',
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components,
    dependencies: [{ ref: 'knudge', dependsOn: components.map((component) => component['bom-ref']).sort() }],
  };
}

function nodeComponent({ version: release, sha256, contains }: NodeProgram, arch: Architecture) {
  const purl = `pkg:npm/node-linux-${arch.node}@${release}`;
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version: release,
    purl,
    cpe: `cpe:2.3:a:nodejs:node.js:${release}:*:*:*:*:*:*:*`,
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    components: Object.entries(contains).map(([name, its]) => ({
      type: 'library',
      'bom-ref': `${purl}#${name}`,
      name,
      version: its,
    })),
  };
}

function debianComponent(name: string, { version: release, license, sha256 }: Pin, { node, debian }: Architecture) {
  const arch = name === 'ca-certificates' ? 'all' : debian;
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(release)}?arch=${arch}&distro=debian-12`;
  return library(purl, { name, version: release, license, hash: { alg: 'SHA-256', content: sha256[node] } });
}

function npmComponent({ name, version: release, license, sha512 }: NpmPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${release}`;
  return library(purl, { name, version: release, license, hash: { alg: 'SHA-512', content: sha512 } });
}

interface Library {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly hash: { readonly alg: string; readonly content: string };
}

function library(purl: string, { name, version: release, license, hash }: Library) {
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version: release,
    purl,
    licenses: licensesOf(license),
    hashes: [hash],
  };
}

function licensesOf(license: string) {
  return / (AND|OR|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

/** A name-based UUID, version 8, of only this text. */
function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
