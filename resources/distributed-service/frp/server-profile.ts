import {
  type Allowed,
  isDomainPattern,
  isPortRange,
  parseAllowed,
} from '../../../packages/controller/domain/allowed.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { parseIp } from '../discovery/ip-address.ts';
import { labels } from '../names.ts';

/** An FRP server, as a ConfigMap with the label frp.io/server-profile describes it. */
export interface ServerProfile {
  /** The name by which a DistributedService refers to it: the value of the label. */
  readonly name: string;
  /** The ConfigMap. */
  readonly configMap: { readonly namespace: string; readonly name: string };
  /** A host name or an IP address. */
  readonly address: string;
  readonly port: number;
  /** The name that the server's certificate must carry. */
  readonly serverName: string;
  /** Certificates in PEM, one of which signs the server's. */
  readonly authority: string;
  readonly login: Login;
  /**
   * Seconds between two heartbeats; absent for no heartbeats. The server asks the gate again at each one. So a session ends after its
   * service is deleted, but also if the server cannot reach the gate.
   */
  readonly heartbeatInterval?: number;
  readonly vhostHttpPort?: number;
  readonly vhostHttpsPort?: number;
  readonly subDomainHost?: string;
  /** The domains that each namespace may have. If absent, every namespace may have all. */
  readonly allowedDomains?: Allowed;
  readonly allowedPorts?: Allowed;
}

/** How a service logs in. */
export type Login =
  /** The server asks frp-gate: each service shows its own identity token. */
  | { readonly kind: 'gate' }
  /** All services show the token in this Secret, which lies in the namespace of each DistributedService. */
  | { readonly kind: 'token'; readonly secretName: string }
  /** The server wants no token. */
  | { readonly kind: 'none' };

/** A sentence that says what is wrong with an object and what to do. */
export interface Problem {
  readonly problem: string;
}

interface Check {
  readonly fits: (value: string) => boolean;
  readonly want: string;
}

const port: Check = { fits: (value) => isNumber(value, 65535), want: 'a port number from 1 to 65535' };
const host: Check = {
  fits: (value) => parseIp(value) !== undefined || isDnsName(value),
  want: 'a host name or an IP address, without a port or a scheme',
};

/** Every key of the ConfigMap and what its value must be. */
const checks: Readonly<Record<string, Check>> = {
  address: host,
  port,
  serverName: host,
  'ca.crt': {
    fits: isCertificates,
    want: 'one or more certificates in PEM (BEGIN CERTIFICATE to END CERTIFICATE) and never a private key',
  },
  tokenSecret: {
    fits: (value) => isDnsName(value) && value === value.toLowerCase(),
    want: 'the name of a Secret',
  },
  gate: { fits: (value) => value === 'true' || value === 'false', want: '"true" or "false"' },
  vhostHTTPPort: port,
  vhostHTTPSPort: port,
  subDomainHost: { fits: isDnsName, want: 'a DNS name' },
  allowedDomains: {
    fits: (value) => parseAllowed(value, isDomainPattern) !== undefined,
    want: 'a line for each namespace, <namespace>: <domain>, <domain>, where * is all other namespaces and *.example.com all below example.com',
  },
  allowedPorts: {
    fits: (value) => parseAllowed(value, isPortRange) !== undefined,
    want: 'a line for each namespace, <namespace>: <port>, <first port>-<last port>, where * is all other namespaces',
  },
  heartbeatInterval: { fits: (value) => isNumber(value, 3600), want: 'a number of seconds from 1 to 3600' },
};

/** The server that a ConfigMap describes, or what is wrong with the ConfigMap. */
export function parseServerProfile(configMap: KubeObject & { readonly data?: unknown }): ServerProfile | Problem {
  const { namespace = '', name } = configMap.metadata;
  const data = isRecord(configMap.data) ? configMap.data : {};
  const fault = findFault(data);
  if (fault !== undefined) return { problem: `ConfigMap ${namespace}/${name}: ${fault}` };
  const profileName = configMap.metadata.labels?.[labels.serverProfile];
  if (!profileName) {
    return {
      problem: `ConfigMap ${namespace}/${name} has no label ${labels.serverProfile}: set it to the profile's name`,
    };
  }
  return { name: profileName, configMap: { namespace, name }, ...readProfile(data) };
}

/** The first thing that is wrong with the keys and values. */
function findFault(data: Readonly<Record<string, unknown>>): string | undefined {
  const fault = Object.entries(data)
    .map(([key, value]) => faultOfValue(key, value))
    .find((found) => found !== undefined);
  if (fault !== undefined) return fault;
  const missing = ['address', 'ca.crt'].find((key) => !Object.hasOwn(data, key));
  if (missing !== undefined) return `key "${missing}" is missing: add ${checks[missing]?.want}`;
  if (data['gate'] === 'true' && Object.hasOwn(data, 'tokenSecret')) {
    return 'keys "gate" and "tokenSecret" exclude each other: behind the gate each service has a token of its own, so remove one';
  }
  return undefined;
}

function faultOfValue(key: string, value: unknown): string | undefined {
  const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
  if (check === undefined) return `key ${quote(key)} is unknown: use only ${Object.keys(checks).join(', ')}`;
  if (typeof value === 'string' && check.fits(value)) return undefined;
  // The value may be a private key, put there by mistake, so it is not shown.
  const shown = key === 'ca.crt' ? 'is not what it must be' : `is ${quote(value)}`;
  return `key "${key}" ${shown}: write ${check.want}`;
}

/** The values of a ConfigMap in which findFault found nothing. */
function readProfile(data: Readonly<Record<string, unknown>>): Omit<ServerProfile, 'name' | 'configMap'> {
  const text = (key: string): string | undefined => (Object.hasOwn(data, key) ? String(data[key]) : undefined);
  const number = (key: string): number | undefined => (Object.hasOwn(data, key) ? Number(data[key]) : undefined);
  const address = text('address') ?? '';
  const login = readLogin(text('gate'), text('tokenSecret'));
  const heartbeatInterval = number('heartbeatInterval');
  const vhostHttpPort = number('vhostHTTPPort');
  const vhostHttpsPort = number('vhostHTTPSPort');
  const subDomainHost = text('subDomainHost');
  const allowedDomains = parseAllowed(text('allowedDomains') ?? '', isDomainPattern);
  const allowedPorts = parseAllowed(text('allowedPorts') ?? '', isPortRange);
  return {
    address,
    port: number('port') ?? 7000,
    serverName: text('serverName') ?? address,
    authority: text('ca.crt') ?? '',
    login,
    ...(heartbeatInterval !== undefined && { heartbeatInterval }),
    ...(vhostHttpPort !== undefined && { vhostHttpPort }),
    ...(vhostHttpsPort !== undefined && { vhostHttpsPort }),
    ...(subDomainHost !== undefined && { subDomainHost }),
    ...(Object.hasOwn(data, 'allowedDomains') && allowedDomains && { allowedDomains }),
    ...(Object.hasOwn(data, 'allowedPorts') && allowedPorts && { allowedPorts }),
  };
}

function readLogin(gate: string | undefined, secretName: string | undefined): Login {
  if (secretName !== undefined) return { kind: 'token', secretName };
  return { kind: gate === 'false' ? 'none' : 'gate' };
}

function isNumber(value: string, most: number): boolean {
  return /^[1-9][0-9]{0,4}$/.test(value) && Number(value) <= most;
}

/** RFC 1123. A name that ends in a number is not a DNS name: resolvers read 127.1 and 0x7f000001 as addresses. */
function isDnsName(value: string): boolean {
  const parts = value.split('.');
  const last = parts.at(-1) ?? '';
  return (
    value.length <= 253 &&
    parts.every((part) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(part)) &&
    !/^([0-9]+|0x[0-9a-f]*)$/i.test(last)
  );
}

/** Checks the form alone: base64 of an ASN.1 sequence (which begins with MI) between the two lines. */
function isCertificates(value: string): boolean {
  if (value.includes('PRIVATE KEY')) return false;
  const blocks = [...value.matchAll(/-----BEGIN CERTIFICATE-----\r?\n([^-]*)-----END CERTIFICATE-----/g)];
  return (
    blocks.length > 0 &&
    blocks.length === value.split('-----BEGIN').length - 1 &&
    blocks.every(([, body = '']) => isBase64(body.replace(/\r?\n/g, '')))
  );
}

function isBase64(body: string): boolean {
  return body.startsWith('MI') && body.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(body);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** For a message: in quotes, and not longer than a line. */
function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
