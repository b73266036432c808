import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { kubectlFor } from './kubectl.ts';

const here = import.meta.dirname;

/** An object of a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/**
 * The output of kustomize for a part, a folder of `config/`, over its manifests as they were shipped: the folder that
 * `copyShipped` wrote. Throws ClusterError with kustomize's complaint.
 */
export async function manifestsOf(part: string, parts: string): Promise<readonly Manifest[]> {
  const draft = mkdtempSync(join(tmpdir(), 'knudge-knative-'));
  try {
    cpSync(parts, draft, { recursive: true });
    cpSync(join(here, 'config', part), join(draft, part), { recursive: true });
    const text = await kubectlFor(undefined)(['kustomize', join(draft, part)]);
    return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  } finally {
    rmSync(draft, { recursive: true });
  }
}
