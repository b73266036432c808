import { type Facts, log, resync } from './facts.ts';
import { sinkIn } from './service.ts';
import { indented } from './text.ts';
import { byHand } from './triggers.ts';

/** What a Service asks of who sends it an event: a token for it, of one of these Triggers. */
export function tokensOf(home: string, service: string, triggers: readonly string[]): string {
  return `- target:
    group: serving.knative.dev
    kind: Service
    name: ${service}
  patch: |-
    - op: add
      path: /spec/template/spec/containers/0/env/-
      value: {name: OIDC_ISSUER, value: "https://kubernetes.default.svc.cluster.local"}
    - op: add
      path: /spec/template/spec/containers/0/env/-
      value: {name: OIDC_AUDIENCE, value: ${home}/${service}}
${indented(subjects(triggers.map((one) => subjectOf(home, one))), 4)}`;
}

/** A token for the Broker, renewed by the kubelet, and who signs its certificate. */
export function brokerAccess(home: string, service: string): string {
  // Where there are volumes already, one is added to them.
  const [mounts, volumes] =
    service === log
      ? [
          '/spec/template/spec/containers/0/volumeMounts/-, value: {name: broker-access, mountPath: /var/run/knudge/broker, readOnly: true}',
          `      path: /spec/template/spec/volumes/-
      value:
        name: broker-access
${indented(projectedIn(home), 8)}`,
        ]
      : [
          '/spec/template/spec/containers/0/volumeMounts, value: [{name: broker-access, mountPath: /var/run/knudge/broker, readOnly: true}]',
          `      path: /spec/template/spec/volumes
      value:
      - name: broker-access
${indented(projectedIn(home), 8)}`,
        ];
  return `- target:
    group: serving.knative.dev
    kind: Service
    name: ${service}
  patch: |-
    # So deploy/components/kafka knows that its ingress is asked by https too.
    - {op: add, path: /metadata/annotations, value: {knudge.dev/sink-scheme: https}}
    - {op: test, path: /spec/template/spec/containers/0/env/1/name, value: K_SINK}
    - {op: replace, path: /spec/template/spec/containers/0/env/1/value, value: "${sinkIn(home).replace('http:', 'https:')}"}
    - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: NODE_EXTRA_CA_CERTS, value: /var/run/knudge/broker/ca.crt}}
    - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: K_SINK_TOKEN_FILE, value: /var/run/knudge/broker/token}}
    - {op: add, path: ${mounts}}
    - op: add
${volumes}`;
}

const projectedIn = (home: string): string => `projected:
  sources:
    - serviceAccountToken: {audience: eventing.knative.dev/broker/${home}/${home}, path: token}
    - configMap: {name: broker-ca, optional: true, items: [{key: ca.crt, path: ca.crt}]}
`;

/** The Services of functions and their Triggers in deploy/overlays/secure, but for those of the log. */
export function secured(facts: Facts): string {
  const { name: home, serviceNames } = facts.controller;
  const woken = serviceNames.filter((name) => name !== log && wakersOf(facts, name).length > 0);
  return woken
    .map(
      (name) =>
        tokensOf(home, name, wakersOf(facts, name)) +
        wakersOf(facts, name)
          .map((one) => audiences(one, { home, service: name, isLogged: serviceNames.includes(log) }))
          .join(''),
    )
    .join('');
}

/** Senders that the log accepts: each Trigger (dead letters), the Subscription that brings it every event, and the Broker. */
export function subjectsOfLog({ controller, triggers }: Facts): string {
  const { name: home } = controller;
  const names = triggers.map(({ name }) => name).sort();
  const dead = names.filter((name) => name !== byHand).map((one) => subjectOf(home, one));
  const others = ['event-log-oidc-messaging.knative.dev-subscription', `${home}-oidc-eventing.knative.dev-broker`];
  return subjects([...dead, subjectOf(home, byHand), ...others.map((one) => accountIn(home, one))]);
}

/**
 * Senders that the Broker accepts besides the sources: functions that send events on their own, Triggers whose functions reply with an
 * event, and the first resync.
 */
export function subjectsOfSenders(facts: Facts): readonly string[] {
  const { name: home } = facts.controller;
  const own = [...new Set(facts.senders.map(facts.accountOf)), 'first-resync'].map((one) => accountIn(home, one));
  return [...own, ...wakersOf(facts, resync).map((one) => subjectOf(home, one))];
}

/**
 * The patches of deploy/overlays/secure for the functions that send to the Broker by themselves, and for those that send only with
 * deploy/components/deliveries.
 */
export function sending({ controller, senders, reportersAlone, has }: Facts): string {
  const others = has('deploy/components/deliveries') ? reportersAlone : [];
  return senders.map((one) => brokerAccess(controller.name, one)).join('') + others.map(schemeOf).join('');
}

function schemeOf(service: string): string {
  return `- target:
    group: serving.knative.dev
    kind: Service
    name: ${service}
  patch: |-
    # So deploy/components/deliveries, where that is added, sends by https and with a token.
    - {op: add, path: /metadata/annotations, value: {knudge.dev/sink-scheme: https}}
`;
}

/** Those called as their functions are, sorted, and then the others. */
function wakersOf({ controller, triggers }: Facts, service: string): readonly string[] {
  const own = triggers.filter(({ stem }) => controller.serviceOf(stem) === service);
  const [same, others] = [own.filter(({ name, stem }) => name === stem), own.filter(({ name, stem }) => name !== stem)];
  return [...same.map(({ name }) => name).sort(), ...others.map(({ name }) => name)];
}

interface Subscriber {
  readonly home: string;
  readonly service: string;
  readonly isLogged: boolean;
}

function audiences(trigger: string, { home, service, isLogged }: Subscriber): string {
  const dead = `    - {op: add, path: /spec/delivery/deadLetterSink/audience, value: ${home}/event-log}\n`;
  return `- target:
    kind: Trigger
    name: ${trigger}
  patch: |-
    - {op: add, path: /spec/subscriber/audience, value: ${home}/${service}}
${isLogged ? dead : ''}`;
}

function subjectOf(home: string, trigger: string): string {
  return accountIn(home, `${trigger}-oidc-eventing.knative.dev-trigger`);
}

/** A ServiceAccount as OIDC and RBAC name it. */
export function accountIn(home: string, name: string): string {
  return `system:serviceaccount:${home}:${name}`;
}

function subjects(all: readonly string[]): string {
  const start = '- op: add\n  path: /spec/template/spec/containers/0/env/-\n';
  if (all.length === 1) return `${start}  value: {name: OIDC_SUBJECTS, value: "${all[0] ?? ''}"}\n`;
  return `${start}  value:\n    name: OIDC_SUBJECTS\n    value: >-\n${indented(all.join(',\n'), 6)}\n`;
}
