import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
/** Files that people make for the FRP server by deploy/frps/README.md; kustomize reads none of their content. */
const serverFiles = ['ca.crt', 'tls.crt', 'tls.key'];

/** A folder of the project, or the text of a kustomization for a folder of that name. */
type Kustomization = string | { readonly name: string; readonly text: string };

/** The output of kustomize for each, with the certificate of an FRP server that only this run uses. */
export async function kustomized(of: readonly Kustomization[]): Promise<readonly (readonly KubeObject[])[]> {
  const copy = await mkdtemp(join(tmpdir(), 'knudge-kustomize-'));
  try {
    for (const folder of ['crds', 'deploy', 'eventing']) {
      await cp(join(root, folder), join(copy, folder), { recursive: true });
    }
    const server = join(copy, 'deploy/frps/server');
    await mkdir(server, { recursive: true });
    for (const file of serverFiles) await writeFile(join(server, file), `${file}\n`);
    return await Promise.all(of.map((one) => objectsOfFolder(one, copy)));
  } finally {
    await rm(copy, { recursive: true });
  }
}

async function objectsOfFolder(one: Kustomization, root: string): Promise<readonly KubeObject[]> {
  if (typeof one !== 'string') {
    await mkdir(join(root, one.name));
    await writeFile(join(root, one.name, 'kustomization.yaml'), one.text);
  }
  const folder = join(root, typeof one === 'string' ? one : one.name);
  const { stdout } = await run('kubectl', ['kustomize', folder], { maxBuffer: 64 * 1024 * 1024 });
  return objectsOf(stdout);
}

/** The objects of a stream of YAML documents, without empty ones. */
export function objectsOf(text: string): readonly KubeObject[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
}
