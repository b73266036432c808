import { samplers } from '../traces/sampler.ts';
import { type Form, oneOf, reader, text, url } from './forms.ts';

/** Where spans are sent to, and which. */
export interface TracesConfig {
  /** Takes OTLP over HTTP, such as http://collector:4318/v1/traces. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name that traces have for this process. */
  readonly service: string;
  readonly sampler: (typeof samplers)[number];
  readonly ratio: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the variables of OpenTelemetry's specification say; nothing where they name no endpoint. Then the others may be wrong: they are
 * there for other programs.
 */
export function tracesIn(env: Environment, problems: string[], service: string): { readonly traces?: TracesConfig } {
  const read = reader(env, problems);
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT', '', web);
  const own = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', '', web);
  const ofOthers: string[] = [];
  const readOther = reader(env, ofOthers);
  const others = {
    headers: readOther('OTEL_EXPORTER_OTLP_HEADERS', '', headers),
    service: readOther('OTEL_SERVICE_NAME', service, text),
    sampler: readOther('OTEL_TRACES_SAMPLER', 'parentbased_always_on', oneOf(samplers)),
    ratio: readOther('OTEL_TRACES_SAMPLER_ARG', '1', ratio),
  };
  const endpoint = own === '' && base !== '' ? `${base.replace(/\/$/, '')}/v1/traces` : own;
  if (endpoint === '') return {};
  problems.push(...ofOthers);
  return { traces: { endpoint, ...others } };
}

const web = url(['http:', 'https:']);

const ratio: Form<number> = {
  parse: (raw) => (/^(0|1|0?\.\d+|[01]\.0*)$/.test(raw) ? Number(raw) : undefined),
  mustBe: 'a number from 0 to 1, such as 0.25',
};

/** A list as W3C Baggage writes it; what follows a semicolon is about the value, and is left away. */
const headers: Form<Readonly<Record<string, string>>> = {
  parse: (raw) => {
    const pairs = raw === '' ? [] : raw.split(',').map(pairIn);
    return pairs.includes(undefined) ? undefined : Object.fromEntries(pairs.filter((pair) => pair !== undefined));
  },
  mustBe: 'names and values, percent-encoded, such as authorization=Bearer%20abc,x-team=shop',
  isSecret: true,
};

function pairIn(pair: string): readonly [string, string] | undefined {
  const [, name, encoded = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*([^;]*?)\s*(?:;.*)?$/.exec(pair) ?? [];
  const value = decoded(encoded);
  return name === undefined || value === undefined ? undefined : [name.toLowerCase(), value];
}

/** Undefined for what no header may hold. */
function decoded(value: string): string | undefined {
  try {
    const plain = decodeURIComponent(value);
    return /^[\x20-\x7e]*$/.test(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}
