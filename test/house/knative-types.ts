import { Broker, Trigger } from '@kubernetes-models/knative/eventing.knative.dev/v1';
import { EventPolicy } from '@kubernetes-models/knative/eventing.knative.dev/v1alpha1';
import { InMemoryChannel, Subscription } from '@kubernetes-models/knative/messaging.knative.dev/v1';
import { Service } from '@kubernetes-models/knative/serving.knative.dev/v1';
import { ApiServerSource, ContainerSource, PingSource } from '@kubernetes-models/knative/sources.knative.dev/v1';

interface Checked {
  validate(): void;
}

/** Knative's own types, of its Go sources, by `apiVersion/kind`. */
const models: Readonly<Record<string, (object: never) => Checked>> = {
  'eventing.knative.dev/v1/Broker': (object) => new Broker(object),
  'eventing.knative.dev/v1/Trigger': (object) => new Trigger(object),
  'eventing.knative.dev/v1alpha1/EventPolicy': (object) => new EventPolicy(object),
  'messaging.knative.dev/v1/InMemoryChannel': (object) => new InMemoryChannel(object),
  'messaging.knative.dev/v1/Subscription': (object) => new Subscription(object),
  'serving.knative.dev/v1/Service': (object) => new Service(object),
  'sources.knative.dev/v1/ApiServerSource': (object) => new ApiServerSource(object),
  'sources.knative.dev/v1/ContainerSource': (object) => new ContainerSource(object),
  'sources.knative.dev/v1/PingSource': (object) => new PingSource(object),
};

/** What is wrong with an object of Knative's, as its types see it; nothing where it is right, or not Knative's. */
export function typeFault(object: { readonly apiVersion: string; readonly kind: string }): string | undefined {
  if (!/^[^/]*\.knative\.dev\//.test(object.apiVersion)) return undefined;
  const type = `${object.apiVersion}/${object.kind}`;
  const model = models[type];
  if (model === undefined) return `test/house/knative-types.ts does not know ${type}: add it`;
  try {
    model(object as never).validate();
    return undefined;
  } catch (error) {
    return `${type}: ${(error as Error).message}`;
  }
}
