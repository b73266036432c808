import type { Command } from './arguments.ts';
import { parseArguments, usage } from './arguments.ts';
import { takeDown } from './down.ts';
import { ClusterError } from './errors.ts';
import { useExisting } from './existing.ts';
import { checkNode } from './node/prepare.ts';
import { whyNoNode } from './node/why-not.ts';
import { bringUp } from './up.ts';

const existing = process.env['KNUDGE_CLUSTER_KUBECONFIG'];
const assets = process.env['KUBEBUILDER_ASSETS'] || undefined;
const log = (line: string) => console.error(line);

async function main(command: Command): Promise<void> {
  switch (command.kind) {
    case 'help':
      return console.log(usage);
    case 'up':
      return existing ? upExisting(existing, command) : up(command);
    case 'down':
      return down(command.dir);
  }
}

async function up({ dir, port, audit, node, knative, apiserverArgs }: Extract<Command, { kind: 'up' }>): Promise<void> {
  const startedAt = Date.now();
  // Building Knative takes minutes: what the node lacks is reported before that.
  if (knative !== 'none') checkNode(dir);
  const prepared = knative === 'none' ? undefined : await (await withKnative()).prepareKnative(log);
  const request = {
    dir,
    port,
    audit: audit ? ('Metadata' as const) : undefined,
    apiserverArgs,
    node,
    dns: prepared !== undefined,
    assets,
    exitWithParent: false,
    log,
  };
  const { state, started, keep } = await bringUp(request);
  if (prepared !== undefined && started)
    await (await withKnative()).bringUpKnative(prepared, {
      dir,
      kubeconfig: state.kubeconfig,
      log,
      knudge: knative === 'with Knudge',
    });
  keep();
  log(
    started
      ? `The cluster is ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} seconds.`
      : `The cluster in ${dir} runs already.`,
  );
  if (state.auditLog !== undefined) log(`Each API call is logged in ${state.auditLog}.`);
  else if (audit) log('It has no audit log: take it down first, then bring it up with --audit.');
  console.log(`KUBECONFIG=${state.kubeconfig}`);
}

/** Loaded only if it is wanted: it loads the image of Knudge and everything that goes into that. */
const withKnative = () => import('../knative/up.ts');

async function upExisting(file: string, { audit, node }: { audit: boolean; node: boolean }): Promise<void> {
  const why = node ? whyNoNode() : undefined;
  if (why !== undefined) throw new ClusterError(why);
  const { kubeconfig } = await useExisting(file);
  log('The cluster of KNUDGE_CLUSTER_KUBECONFIG answers; nothing is started.');
  if (audit) log('Its audit log is the business of its owner: --audit has no effect.');
  console.log(`KUBECONFIG=${kubeconfig}`);
}

async function down(dir: string): Promise<void> {
  if (existing) {
    return log(
      `The cluster of KNUDGE_CLUSTER_KUBECONFIG is left alone; unset that variable to stop the one in ${dir}.`,
    );
  }
  const sentences = {
    nothing: `No cluster runs in ${dir}.`,
    running: `The cluster in ${dir} is stopped and its data is deleted.`,
    crashed: `The cluster in ${dir} had crashed; what it left is deleted.`,
  };
  log(sentences[await takeDown(dir, log)]);
}

// An exit runs the hooks that remove an unfinished cluster, build or lock; the signals alone would not.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

try {
  await main(parseArguments(process.argv.slice(2), process.cwd()));
} catch (error) {
  if (!(error instanceof ClusterError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
