import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { root } from '../house/files.ts';

const run = promisify(execFile);

/** What somebody writes into a kustomization of their own; folders are those of this repository. */
interface Kustomization {
  readonly namespace?: string;
  readonly resources?: readonly string[];
  readonly transformers?: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly object[];
  readonly images?: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[];
}

/** What `kubectl kustomize` makes of a folder of this repository. */
export async function kustomized(folder: string): Promise<readonly KubeObject[]> {
  const { stdout } = await run('kubectl', ['kustomize', folder], { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  return parseAllDocuments(stdout, { version: '1.1' }).map((document) => document.toJS() as KubeObject);
}

/** Writes such a kustomization into a folder outside of this repository, for as long as the work takes. */
export async function withKustomization<Result>(
  { resources = [], transformers = [], components = [], ...rest }: Kustomization,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-kustomize-'));
  const here = (paths: readonly string[]) => paths.map((path) => relative(folder, join(root, path)));
  const lists = { resources: here(resources), transformers: here(transformers), components: here(components) };
  const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...rest, ...lists };
  writeFileSync(join(folder, 'kustomization.yaml'), stringify(kustomization));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
