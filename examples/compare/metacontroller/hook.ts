// The sync hook: Metacontroller posts a Message with its Pods; the answer is its status and the Pods that there should be.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import podSpec from '../pod-spec.json' with { type: 'json' };

interface Pod {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

interface Observed {
  readonly parent: { readonly metadata: { readonly name: string }; readonly spec: { readonly text: string } };
  readonly children: { readonly 'Pod.v1': Readonly<Record<string, Pod>> };
}

function sync({ parent, children }: Observed): object {
  const name = `msg-${parent.metadata.name}`;
  const conditions = children['Pod.v1'][name]?.status?.conditions ?? [];
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  const spec = structuredClone(podSpec);
  for (const variable of spec.containers.flatMap(({ env }) => env)) variable.value = parent.spec.text;
  return {
    status: { phase: isReady ? 'Processed' : 'Pending', podName: name },
    children: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }],
  };
}

const server = createServer((request, response) => {
  json(request)
    .then((observed) => response.end(JSON.stringify(sync(observed as Observed))))
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(Number(process.argv[2] ?? 8080), () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
