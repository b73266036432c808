import { otherTriggers, type Stem, serviceNames, serviceOf, stemsOf } from '../../functions/table.ts';
import { accountOf, senders } from './facts.ts';
import { indented } from './text.ts';
import { triggerNames } from './triggers.ts';

/** The Service that is written by hand, and keeps what its Triggers do not get rid of. */
const log = 'event-log';

/** What a Service asks of who sends it an event: a token for it, of one of these Triggers. */
export function tokensOf(service: string, triggers: readonly string[]): string {
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
      value: {name: OIDC_AUDIENCE, value: knudge/${service}}
${indented(subjects(triggers.map(subjectOf)), 4)}`;
}

/** A token for the Broker, renewed by the kubelet, and who signs its certificate. */
export function brokerAccess(service: string): string {
  // Where there are volumes already, one is added to them.
  const [mounts, volumes] =
    service === log
      ? [
          '/spec/template/spec/containers/0/volumeMounts/-, value: {name: broker-access, mountPath: /var/run/knudge/broker, readOnly: true}',
          `      path: /spec/template/spec/volumes/-
      value:
        name: broker-access
${indented(projected, 8)}`,
        ]
      : [
          '/spec/template/spec/containers/0/volumeMounts, value: [{name: broker-access, mountPath: /var/run/knudge/broker, readOnly: true}]',
          `      path: /spec/template/spec/volumes
      value:
      - name: broker-access
${indented(projected, 8)}`,
        ];
  return `- target:
    group: serving.knative.dev
    kind: Service
    name: ${service}
  patch: |-
    # So deploy/components/kafka knows that its ingress is asked by https too.
    - {op: add, path: /metadata/annotations, value: {knudge.dev/sink-scheme: https}}
    - {op: test, path: /spec/template/spec/containers/0/env/1/name, value: K_SINK}
    - {op: replace, path: /spec/template/spec/containers/0/env/1/value, value: "https://broker-ingress.knative-eventing.svc.cluster.local/knudge/knudge"}
    - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: NODE_EXTRA_CA_CERTS, value: /var/run/knudge/broker/ca.crt}}
    - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: K_SINK_TOKEN_FILE, value: /var/run/knudge/broker/token}}
    - {op: add, path: ${mounts}}
    - op: add
${volumes}`;
}

const projected = `projected:
  sources:
    - serviceAccountToken: {audience: eventing.knative.dev/broker/knudge/knudge, path: token}
    - configMap: {name: broker-ca, optional: true, items: [{key: ca.crt, path: ca.crt}]}
`;

/** The Services of functions and their Triggers in deploy/overlays/secure, but for those of the log. */
export function secured(): string {
  const woken = serviceNames.filter((name) => name !== log && wakersOf(name).length > 0);
  return woken
    .map(
      (name) =>
        tokensOf(name, wakersOf(name)) +
        wakersOf(name)
          .map((one) => audiences(one, name))
          .join(''),
    )
    .join('');
}

/** Who may send to the log: each Trigger, with what was not taken, and the Broker. */
export function subjectsOfLog(): string {
  const dead = triggerNames.filter((name) => name !== 'event-recorded').map(subjectOf);
  const others = ['event-log-oidc-messaging.knative.dev-subscription', 'knudge-oidc-eventing.knative.dev-broker'];
  return subjects([
    ...dead,
    subjectOf('event-recorded'),
    ...others.map((one) => `system:serviceaccount:knudge:${one}`),
  ]);
}

/** Who may send to the Broker besides the sources: who does by itself, the Triggers whose functions answer, and the first resync. */
export function subjectsOfSenders(): readonly string[] {
  const own = [...new Set(senders.map(accountOf)), 'first-resync'].map((one) => `system:serviceaccount:knudge:${one}`);
  return [...own, ...wakersOf('resync-due').map(subjectOf)];
}

/** Who sends to the Broker by itself, in deploy/overlays/secure. */
export function sending(): string {
  return senders.map(brokerAccess).join('');
}

function wakersOf(service: string): readonly string[] {
  const stems: readonly string[] = stemsOf(service);
  const others = Object.entries<Stem>(otherTriggers).filter(([, stem]) => serviceOf(stem) === service);
  return [...stems.filter((stem) => triggerNames.includes(stem)).sort(), ...others.map(([name]) => name)];
}

function audiences(trigger: string, service: string): string {
  return `- target:
    kind: Trigger
    name: ${trigger}
  patch: |-
    - {op: add, path: /spec/subscriber/audience, value: knudge/${service}}
    - {op: add, path: /spec/delivery/deadLetterSink/audience, value: knudge/event-log}
`;
}

function subjectOf(trigger: string): string {
  return `system:serviceaccount:knudge:${trigger}-oidc-eventing.knative.dev-trigger`;
}

function subjects(all: readonly string[]): string {
  const start = '- op: add\n  path: /spec/template/spec/containers/0/env/-\n';
  if (all.length === 1) return `${start}  value: {name: OIDC_SUBJECTS, value: "${all[0] ?? ''}"}\n`;
  return `${start}  value:\n    name: OIDC_SUBJECTS\n    value: >-\n${indented(all.join(',\n'), 6)}\n`;
}
