// The sources of the manifests, and nothing else, as a process: node test/faults/real/source-process.ts <kubeconfig> <Broker>
import { outsideCluster } from '../../../packages/controller/cluster/outside.ts';
import { postEvent } from '../../../packages/mesh/broker/http-deliver.ts';
import { startApiServerSource } from '../../../packages/mesh/sources/api-server-source.ts';
import type { Send } from '../../../packages/mesh/sources/send.ts';
import { manifests } from '../sim/source.ts';

const [kubeconfig = '', broker = ''] = process.argv.slice(2);
const access = await outsideCluster({ kubeconfig });
const send: Send = async (event) => {
  const answer = await postEvent(broker, event, 60_000);
  return answer.kind === 'answered' ? { status: answer.status } : { status: 0, why: answer.why };
};
const report = ({ kind }: { readonly kind: string }): void => void process.stdout.write(`${kind}\n`);
await Promise.all(
  manifests.sources.map((source) => startApiServerSource(source, { access, version: 'test', send, report })),
);
process.stdout.write('complete\n');
