import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const here = import.meta.dirname;

interface Place {
  readonly module: string;
  readonly folder: string;
}

const at = (module: string, folder: string): Place => ({ module, folder });

/**
 * The places of each part's manifests in the modules; the names are those of `config/`. The CRDs of networking and caching are
 * in modules of their own, because the links to them that Serving's folder has are not in its module.
 */
const places: Readonly<Record<string, readonly Place[]>> = {
  eventing: [
    at('knative.dev/eventing', 'config/core'),
    at('knative.dev/eventing', 'config/channels/in-memory-channel'),
    at('knative.dev/eventing', 'config/brokers/mt-channel-broker'),
    at('knative.dev/eventing', 'third_party/eventing-integrations-latest'),
  ],
  serving: [
    at('knative.dev/networking', 'config'),
    at('knative.dev/caching', 'config'),
    at('knative.dev/serving', 'config/core'),
  ],
  kourier: [at('knative.dev/net-kourier', 'config')],
  volumes: [at('github.com/rancher/local-path-provisioner', 'deploy/local-path-storage.yaml')],
};

/** Copies the manifests of each part out of its modules into `<folder>/<part>/shipped`, each with a list for kustomize. */
export function copyShipped(folder: string): void {
  for (const [part, list] of Object.entries(places)) {
    const to = join(folder, part, 'shipped');
    mkdirSync(to, { recursive: true });
    const names = list.flatMap((place, index) => copied(place, to, index));
    writeFileSync(join(to, 'kustomization.yaml'), `resources:\n${names.map((name) => `  - ${name}\n`).join('')}`);
  }
}

function copied({ module, folder }: Place, to: string, index: number): readonly string[] {
  const options = { cwd: here, encoding: 'utf8', env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' } } as const;
  const from = join(execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', module], options).trim(), folder);
  const files = statSync(from).isFile()
    ? [from]
    : globSync('**/*.yaml', { cwd: from })
        .sort()
        .map((name) => join(from, name));
  return files.map((file, number) => {
    const name = `${String(index)}-${String(number).padStart(3, '0')}-${basename(file)}`;
    cpSync(file, join(to, name));
    return name;
  });
}
