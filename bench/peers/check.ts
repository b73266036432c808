import { controllerOf, type KubeObject } from '../../packages/controller/domain/kube-object.ts';

export interface Found {
  readonly messages: readonly KubeObject[];
  readonly pods: readonly KubeObject[];
  readonly timesProcessed: (name: string) => number;
}

/** What a contestant has not done as it should; empty if each Message has its own Pod and became Processed once. */
export function faultsOf(names: readonly string[], { messages, pods, timesProcessed }: Found): readonly string[] {
  const [messageOf, podOf] = [messages, pods].map((all) => new Map(all.map((one) => [one.metadata.name, one])));
  return names.flatMap((name) => {
    const [owner, pod] = [messageOf?.get(name), podOf?.get(`msg-${name}`)];
    const controller = pod && controllerOf(pod);
    const { phase } = (owner as { readonly status?: { readonly phase?: string } } | undefined)?.status ?? {};
    const times = timesProcessed(name);
    return [
      ...(pod === undefined ? [`${name} has no Pod`] : []),
      ...(pod !== undefined && (controller?.kind !== 'Message' || controller.uid !== owner?.metadata.uid)
        ? [`the Pod of ${name} is not owned by it`]
        : []),
      ...(pod !== undefined && textOf(pod) !== `I am ${name}` ? [`the Pod of ${name} has another text`] : []),
      ...(phase === 'Processed' ? [] : [`${name} is ${String(phase)}`]),
      ...(times === 1 ? [] : [`${name} became Processed ${String(times)} times`]),
    ];
  });
}

function textOf(pod: KubeObject): string | undefined {
  const { spec } = pod as { readonly spec?: { readonly containers?: readonly Container[] } };
  return spec?.containers?.[0]?.env?.[0]?.value;
}

interface Container {
  readonly env?: readonly { readonly value?: string }[];
}
