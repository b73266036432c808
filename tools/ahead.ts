// Builds what later tests run, one after the other, into the cache: node tools/ahead.ts. A test that needs one of them meanwhile
// waits for it. A failure is printed and does not stop the others: the test that needs the program builds it again, and fails itself.
import { collectorProgram } from './collector/collector.ts';
import { builtPrograms } from './control-plane/build.ts';
import { builtKubenode } from './control-plane/node/build.ts';
import { whyNoNode } from './control-plane/node/why-not.ts';
import { webhooksProgram } from './crds/webhooks.ts';
import { install } from './dataplane/install.ts';
import { schemaProgram } from './grafana/schema.ts';
import { builtKnative } from './knative/build.ts';
import { prometheusOperatorProgram } from './prometheus-operator/program.ts';

type Log = (line: string) => void;

const usesOther = process.env['KUBEBUILDER_ASSETS'] || process.env['KNUDGE_CLUSTER_KUBECONFIG'];

/** In the order in which tests need them; undefined if this machine does not need it. */
const builds: readonly { readonly what: string; readonly build: ((log: Log) => Promise<unknown>) | undefined }[] = [
  { what: 'the control plane', build: usesOther ? undefined : builtPrograms },
  { what: 'the OpenTelemetry Collector', build: collectorProgram },
  { what: "Knative's webhooks", build: webhooksProgram },
  { what: "Grafana's schema of dashboards", build: schemaProgram },
  { what: 'the Prometheus Operator', build: prometheusOperatorProgram },
  { what: 'the data plane', build: install },
  { what: 'the real node', build: whyNoNode() === undefined ? builtKubenode : undefined },
  { what: 'Knative', build: whyNoNode() === undefined ? builtKnative : undefined },
];

const began = Date.now();
const log: Log = (line) => console.log(`[${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s] ${line}`);

// An exit removes unfinished drafts and the lock; the signals alone would not.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

for (const { what, build } of builds) {
  if (build === undefined) continue;
  try {
    await build(log);
    log(`${what}: there`);
  } catch (error) {
    log(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
