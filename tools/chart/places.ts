import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { version } from '../../packages/start/version.ts';
import { marker } from './merge.ts';

/** A value that the template fills in: a scalar, a whole value as YAML, an optional entry, or entries. */
export interface Filled {
  readonly [marker]: { readonly as: 'text' | 'yaml' | 'optional' | 'include'; readonly text: string };
}

/** One value of one object: `Kind/name` and the keys down to it. */
interface Place {
  readonly at: RegExp;
  readonly fill: (value: string) => Filled;
}

const text = (template: string): Filled => ({ [marker]: { as: 'text', text: template } });
const yaml = (value: string): Filled => ({ [marker]: { as: 'yaml', text: value } });
const optional = (value: string): Filled => ({ [marker]: { as: 'optional', text: value } });
/** Stands for the namespace of the release within any text: a character that no manifest has. */
export const namespaceToken = '\u{e000}';

/** The first match decides. */
const places: readonly Place[] = [
  { at: /^Deployment\/frps .*containers\.0\.image$/, fill: () => text('{{ .Values.frps.image }}') },
  { at: /^\S+ .*containers\.\d+\.image$/, fill: image },
  {
    at: /^Service\/event-log spec\.template\.spec\.containers\.0\.resources$/,
    fill: () => yaml('.Values.eventLog.resources'),
  },
  {
    at: /^ContainerSource\/source spec\.template\.spec\.containers\.0\.resources$/,
    fill: () => yaml('.Values.source.resources'),
  },
  {
    at: /^Service\/\S+ spec\.template\.spec\.containers\.0\.resources$/,
    fill: () => yaml('.Values.functions.resources'),
  },
  {
    at: /^Deployment\/frps spec\.template\.spec\.containers\.0\.resources$/,
    fill: () => yaml('.Values.frps.resources'),
  },
  {
    at: /^Service\/(?!event-log )\S+ .*autoscaling\.knative\.dev\/max-scale$/,
    fill: () => text('{{ .Values.functions.maxScale | quote }}'),
  },
  { at: /^PingSource\/resync-due spec\.schedule$/, fill: () => text('{{ .Values.resync.schedule | quote }}') },
  { at: /^ApiServerSource\/\S+ spec\.namespaceSelector$/, fill: () => yaml('.Values.watch.namespaceSelector') },
  {
    at: /^PersistentVolumeClaim\/event-log .*\.requests\.storage$/,
    fill: () => text('{{ .Values.eventLog.storage.size }}'),
  },
  {
    at: /^PersistentVolumeClaim\/source .*\.requests\.storage$/,
    fill: () => text('{{ .Values.source.storage.size }}'),
  },
  {
    at: /^Service\/event-log .*\.valueFrom\.secretKeyRef$/,
    fill: () => yaml('.Values.eventLog.postgres.secretKeyRef'),
  },
  { at: /^NetworkPolicy\/(functions|frps) .*\.values$/, fill: () => yaml('.Values.networkPolicies.gatewayNamespaces') },
  {
    at: /^NetworkPolicy\/prometheus(-frps|-source)? .*kubernetes\.io\/metadata\.name$/,
    fill: () => text('{{ .Values.prometheus.namespace }}'),
  },
  { at: /^ConfigMap\/frps data\.ca\.crt$/, fill: () => text('{{ .Values.frps.ca | toJson }}') },
  { at: /^Deployment\/frps .*\.secret\.secretName$/, fill: () => text('{{ .Values.frps.tlsSecretName }}') },
];

/** Entries that are added to a map. */
const additions: readonly { readonly at: RegExp; readonly entries: Readonly<Record<string, Filled>> }[] = [
  { at: /^\S+ .*containers\.\d+$/, entries: { imagePullPolicy: optional('.Values.image.pullPolicy') } },
  {
    at: /^(Service|Deployment|Job|ContainerSource)\/\S+ spec\.template\.spec$/,
    entries: { imagePullSecrets: optional('.Values.image.pullSecrets') },
  },
  {
    at: /^PersistentVolumeClaim\/event-log spec$/,
    entries: { storageClassName: optional('.Values.eventLog.storage.className') },
  },
  {
    at: /^PersistentVolumeClaim\/source spec$/,
    entries: { storageClassName: optional('.Values.source.storage.className') },
  },
];

/** The ingress of a Broker, of any class: by https if senders use tokens. */
const ingress = /^https?:\/\/(\S+)\/knudge\/knudge$/;

/** Places where the namespace is the whole value. */
const isNamespace =
  /^(\S+ metadata\.namespace|Namespace\/knudge metadata\.name|\S+ subjects\.\d+\.namespace|EventPolicy\S+ spec\.from\.\d+\.ref\.namespace|\S+ spec\.matchResources\.namespaceSelector\.matchLabels\.kubernetes\.io\/metadata\.name|\S+ .*env\.\d+\.value)$/;

/** Places where the namespace is a part of a text. */
const inTexts: readonly RegExp[] = [
  /(?<=svc\.cluster\.local\/)knudge(?=\/)/g,
  /(?<=\/namespaces\/)knudge(?=\/)/g,
  /(?<=system:serviceaccount:)knudge(?=:)/g,
  /(?<=eventing\.knative\.dev\/broker\/)knudge(?=\/)/g,
  /(?<=\.)knudge(?=\.svc\b)/g,
  /(?<=^knudge-(event-log(-reader)?|itself|children|claims)\.)knudge$/g,
  // What a rule of Prometheus asks for.
  /(?<=\bnamespace=")knudge(?=")/g,
  // The question of an FRP server to the gate names its profile.
  /(?<="path": "\/)knudge(?=\/frps")/g,
];

/** An object with the places that the chart fills in. */
export function withPlaces(object: KubeObject): unknown {
  return filled(object, { of: `${object.kind}/${object.metadata.name}`, keys: [] });
}

interface Where {
  readonly of: string;
  readonly keys: readonly (string | number)[];
}

function filled(value: unknown, where: Where): unknown {
  const at = `${where.of} ${where.keys.join('.')}`;
  const place = places.find((one) => one.at.test(at));
  if (place !== undefined) return place.fill(String(value));
  if (Array.isArray(value)) return value.map((item, index) => filled(item, below(where, index)));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => [key, filled(inner, below(where, key))] as const);
    return { ...Object.fromEntries(entries), ...additions.find((one) => one.at.test(at))?.entries };
  }
  return typeof value === 'string' ? textFilled(value, at) : value;
}

function textFilled(value: string, at: string): string | Filled {
  const [, host] = /\.env\.\d+\.value$/.test(at) ? (ingress.exec(value) ?? []) : [];
  if (host !== undefined) {
    return text(`http{{ if .Values.oidc.enabled }}s{{ end }}://${host}/{{ .Release.Namespace }}/knudge`);
  }
  if (value === 'knudge' && isNamespace.test(at)) return namespaceToken;
  return inTexts.reduce((text, found) => text.replace(found, namespaceToken), value);
}

function image(value: string): Filled {
  if (value !== `knudge/knudge:${version}`)
    throw new Error(`${value} is not the image of this version: give it a place of its own`);
  return text('{{ include "knudge.image" $ }}');
}

function below({ of, keys }: Where, key: string | number): Where {
  return { of, keys: [...keys, key] };
}
