/** A program of Knative or beside it, and the image that it gets. */
export interface Program {
  readonly image: string;
  /** Its Go package, whose last part is the name of the built program. */
  readonly package: string;
}

/**
 * The programs to build, by the module that they come from: two modules have a `controller` and a `webhook` each. `config/` names the
 * images.
 */
export const programs: Readonly<Record<'eventing' | 'serving' | 'around', readonly Program[]>> = {
  eventing: [
    { image: 'eventing-controller', package: 'knative.dev/eventing/cmd/controller' },
    { image: 'eventing-webhook', package: 'knative.dev/eventing/cmd/webhook' },
    { image: 'apiserver-adapter', package: 'knative.dev/eventing/cmd/apiserver_receive_adapter' },
    { image: 'mtping', package: 'knative.dev/eventing/cmd/mtping' },
    { image: 'mt-broker-controller', package: 'knative.dev/eventing/cmd/mtchannel_broker' },
    { image: 'broker-filter', package: 'knative.dev/eventing/cmd/broker/filter' },
    { image: 'broker-ingress', package: 'knative.dev/eventing/cmd/broker/ingress' },
    { image: 'imc-controller', package: 'knative.dev/eventing/cmd/in_memory/channel_controller' },
    { image: 'imc-dispatcher', package: 'knative.dev/eventing/cmd/in_memory/channel_dispatcher' },
  ],
  serving: [
    { image: 'activator', package: 'knative.dev/serving/cmd/activator' },
    { image: 'autoscaler', package: 'knative.dev/serving/cmd/autoscaler' },
    { image: 'serving-controller', package: 'knative.dev/serving/cmd/controller' },
    { image: 'serving-webhook', package: 'knative.dev/serving/cmd/webhook' },
    { image: 'queue', package: 'knative.dev/serving/cmd/queue' },
  ],
  around: [
    { image: 'kourier', package: 'knative.dev/net-kourier/cmd/kourier' },
    { image: 'coredns', package: './coredns' },
    { image: 'local-path-provisioner', package: 'github.com/rancher/local-path-provisioner' },
  ],
};

/** Knative does not resolve tags of this registry to digests, so no registry is asked. */
export const imageName = (image: string): string => `dev.local/${image}:built`;
