// A Pepr capability: one action for Messages, and one for their Pods.
import { a, Capability, K8s, kind, RegisterKind, sdk } from 'pepr';
import podSpec from '../pod-spec.json';

class Message extends a.GenericKind {
  declare spec?: { text: string };
  declare status?: { phase?: string; podName?: string };
}

RegisterKind(Message, { group: 'myorg.dev', version: 'v1', kind: 'Message', plural: 'messages' });

const label = 'myorg.dev/message';

export const messages = new Capability({ name: 'messages', description: 'A Message becomes a Pod that prints it' });
const { When } = messages;

When(Message)
  .IsCreated()
  .Reconcile(async (message) => {
    const { name, namespace } = message.metadata;
    const spec = structuredClone(podSpec);
    for (const variable of spec.containers.flatMap(({ env }) => env)) variable.value = message.spec.text;
    await K8s(kind.Pod).Apply({
      metadata: {
        name: `msg-${name}`,
        namespace,
        labels: { [label]: name },
        ownerReferences: sdk.getOwnerRefFrom(message, true, true),
      },
      spec,
    });
  });

When(a.Pod)
  .IsCreatedOrUpdated()
  .WithLabel(label)
  .Reconcile(async ({ metadata: { name, namespace, labels }, status }) => {
    const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
    if (!isReady) return;
    await K8s(Message).PatchStatus({
      metadata: { name: labels[label], namespace },
      status: { phase: 'Processed', podName: name },
    });
  });
