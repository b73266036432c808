import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { pinnedModules } from '../api-schemas/pinned-modules.ts';

interface Module {
  readonly path: string;
  /** The folder of its CRDs in the module. */
  readonly folder: string;
  /** The CRDs that Knudge has objects of. */
  readonly files: readonly string[];
}

const modules: Readonly<Record<'eventing' | 'serving' | 'olm', Module>> = {
  eventing: {
    path: 'knative.dev/eventing',
    folder: 'config/core/resources',
    files: [
      'apiserversource.yaml',
      'broker.yaml',
      'containersource.yaml',
      'eventpolicy.yaml',
      'pingsource.yaml',
      'subscription.yaml',
      'trigger.yaml',
      '../../channels/in-memory-channel/resources/in-memory-channel.yaml',
    ],
  },
  serving: { path: 'knative.dev/serving', folder: 'config/core/300-resources', files: ['service.yaml'] },
  olm: {
    path: 'github.com/operator-framework/api',
    folder: 'crds',
    files: ['operators.coreos.com_clusterserviceversions.yaml'],
  },
};

/**
 * The CRDs of Knative or of OLM that Knudge has objects of, in the versions that go.mod pins, by the checksums of go.sum.
 * Go downloads the modules once, a few megabytes. Throws GoMissing without Go, and GoError if Go cannot get them.
 */
export function pinnedCrds(from: readonly (keyof typeof modules)[]): readonly KubeObject[] {
  const wanted = from.map((name) => modules[name]);
  const pins = import.meta.dirname;
  const folders = pinnedModules(
    wanted.map(({ path }) => path),
    { pins },
  );
  return wanted.flatMap(({ path, folder, files }) =>
    files.map((file) => withoutConversion(crdIn(join(folders.get(path) ?? '', folder, file)))),
  );
}

interface Crd extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

function crdIn(path: string): Crd {
  return parse(readFileSync(path, 'utf8'), { version: '1.1' }) as Crd;
}

/** Without conversion: only Knative's webhook converts between versions, and it does not run where these CRDs are used. */
function withoutConversion({ spec, ...crd }: Crd): Crd {
  const { conversion: _, ...rest } = spec;
  return { ...crd, spec: rest };
}
