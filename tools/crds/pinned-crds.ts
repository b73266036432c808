import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { pinnedModules } from '../api-schemas/pinned-modules.ts';

interface Module {
  readonly path: string;
  /** The folder of its CRDs in the module. */
  readonly folder: string;
  /** The CRDs that Knudge has objects of, or that a program needs that reads those. */
  readonly files: readonly string[];
  /** The folder with the go.mod that pins it. */
  readonly pins: string;
}

const here = import.meta.dirname;

const prometheusOperator = {
  path: 'github.com/prometheus-operator/prometheus-operator',
  folder: 'example/prometheus-operator-crd',
  pins: join(here, '../prometheus-operator'),
};

type From = 'eventing' | 'serving' | 'olm' | 'monitors' | 'prometheus';

const modules: Readonly<Record<From, Module>> = {
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
    pins: here,
  },
  serving: { path: 'knative.dev/serving', folder: 'config/core/300-resources', files: ['service.yaml'], pins: here },
  olm: {
    path: 'github.com/operator-framework/api',
    folder: 'crds',
    files: ['operators.coreos.com_clusterserviceversions.yaml'],
    pins: here,
  },
  monitors: {
    ...prometheusOperator,
    files: ['monitoring.coreos.com_podmonitors.yaml', 'monitoring.coreos.com_prometheusrules.yaml'],
  },
  // What the Prometheus Operator itself needs besides.
  prometheus: {
    ...prometheusOperator,
    files: [
      'monitoring.coreos.com_probes.yaml',
      'monitoring.coreos.com_prometheuses.yaml',
      'monitoring.coreos.com_servicemonitors.yaml',
    ],
  },
};

/**
 * CRDs of Knative, of OLM or of the Prometheus Operator, in the versions that go.mod pins, by the checksums of go.sum.
 * Go downloads the modules once, a few megabytes. Throws GoMissing without Go, and GoError if Go cannot get them.
 */
export function pinnedCrds(from: readonly From[]): readonly KubeObject[] {
  return from.flatMap((name) => {
    const { path, folder, files, pins } = modules[name];
    const module = pinnedModules([path], { pins }).get(path) ?? '';
    return files.map((file) => withoutConversion(crdIn(join(module, folder, file))));
  });
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
