import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { kustomized } from '../chart/kustomize.ts';
import { clusterServiceVersion } from './cluster-service-version.ts';
import { withoutRights } from './rights.ts';

const root = join(import.meta.dirname, '../..');
const head = '# Made by `npm run bundle` from the kustomization in deploy/: change that, not this file.\n';

/** The annotations that a registry reads, in the image's labels and beside the manifests. */
const annotations: Readonly<Record<string, string>> = {
  'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
  'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
  'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
  'operators.operatorframework.io.bundle.package.v1': 'knudge',
  'operators.operatorframework.io.bundle.channels.v1': 'alpha',
  'operators.operatorframework.io.bundle.channel.default.v1': 'alpha',
};

/** The bundle's files by their paths below bundle/. */
export async function bundleFiles(): Promise<ReadonlyMap<string, string>> {
  const [objects = []] = await kustomized(['deploy']);
  const text = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  const examples = await Promise.all(['http-auto', 'message-hello'].map((name) => text(`examples/${name}.yaml`)));
  const csv = clusterServiceVersion({
    objects,
    examples: examples.map((example) => parse(example) as unknown),
    icon: await text('bundle/icon.svg'),
  });
  const others = [...objects.filter(({ kind }) => kind === 'CustomResourceDefinition'), ...withoutRights(objects)];
  return new Map([
    ['manifests/knudge.clusterserviceversion.yaml', yaml(csv)],
    ...others.map((object): [string, string] => [
      `manifests/${object.metadata.name}.${object.kind.toLowerCase()}.yaml`,
      // The namespace is that of OLM's operator group.
      yaml({ ...object, metadata: { ...object.metadata, namespace: undefined } }),
    ]),
    ['metadata/annotations.yaml', yaml({ annotations })],
    ['Dockerfile', dockerfile],
  ]);
}

const dockerfile = [
  head.trimEnd(),
  'FROM scratch',
  ...Object.entries(annotations).map(([name, value]) => `LABEL ${name}=${value}`),
  'COPY manifests /manifests/',
  'COPY metadata /metadata/',
  '',
].join('\n');

function yaml(value: unknown): string {
  return `${head}${stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
