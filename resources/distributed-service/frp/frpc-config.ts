import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import { adminAccess, fileNames, type Layout, podLayout } from '../envoy/data-plane.ts';
import type { DistributedServiceSpec } from '../types.ts';
import { exposedProxy } from './exposed-proxy.ts';
import type { ServerProfile } from './server-profile.ts';

export interface FrpcInput {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly spec: Pick<DistributedServiceSpec, 'serviceType' | 'expose' | 'security'>;
  readonly profile: ServerProfile;
  /** If false, frpc logs in without a proxy, because another service holds its host or port. */
  readonly isExposed?: boolean;
  /** The files and ports; those of the Pod if absent. */
  readonly layout?: Layout;
}

/**
 * The text of frpc.json. It holds no secret: the token and the key are files that frpc reads, and the password of its admin API is in its
 * environment. The same input gives the same bytes, so that the Pod restarts only if something has changed.
 * @throws KnudgeError `invalid-object` for text that no JSON can carry (half of a surrogate pair)
 */
export function frpcConfig(input: FrpcInput): string {
  const { namespace, name, uid, profile, layout = podLayout } = input;
  return withAdmin(
    layout,
    encode({
      serverAddr: profile.address,
      serverPort: profile.port,
      // A server that is away for a while is no reason to end: the Pod's restarts would back off for minutes.
      loginFailExit: false,
      auth: authentication(profile, layout),
      // The gate reads the service that this tunnel claims to belong to. The token proves it.
      metadatas: { service: `${namespace}/${name}`, uid },
      transport: transport(input, layout),
      // Below `warn` frpc logs two lines for each question to its admin API.
      log: { to: 'console', level: 'warn', disablePrintColor: true },
      proxies: proxies(input, layout),
    }),
  );
}

/**
 * Adds the admin API, which reports the state of the proxy. frpc fills in the password by a template. `encode` leaves no template in the
 * texts of users, so this one is added afterwards.
 */
function withAdmin({ adminPort }: Layout, config: string): string {
  const { user, password } = adminAccess;
  const server = `{ "addr": "127.0.0.1", "port": ${String(adminPort)}, "user": "${user}", "password": "{{ .Envs.${password} }}" }`;
  return config.replace(/^\{\n/, () => `{\n  "webServer": ${server},\n`);
}

/**
 * frp's method `token` turns the token into the key of the control connection as well, so that it must be the same for
 * the server and all its clients. With one token a service the method is therefore `oidc`, which sends the content of
 * a file as it is, reads it anew at each login, and leaves that key empty (TLS protects the connection either way). No
 * OpenID provider is involved: the gate compares the token and answers the server in its place.
 */
function authentication({ login }: ServerProfile, layout: Layout): object {
  const tokenSource = { type: 'file', file: { path: `${layout.identityPath}/${fileNames.token}` } };
  switch (login.kind) {
    case 'gate':
      return { method: 'oidc', oidc: { tokenSource } };
    case 'token':
      return { method: 'token', tokenSource };
    case 'none':
      return { method: 'token' };
  }
}

function transport({ spec, profile }: FrpcInput, layout: Layout): object {
  return {
    // With multiplexed connections frpc sends no heartbeats unless told to, and only a heartbeat asks the gate again.
    ...(profile.heartbeatInterval !== undefined && { heartbeatInterval: profile.heartbeatInterval }),
    tls: {
      enable: true,
      // Without this file frpc would take any certificate.
      trustedCaFile: `${layout.configPath}/${fileNames.serverAuthority}`,
      serverName: profile.serverName,
      ...(spec.security.mtls.enabled && {
        certFile: `${layout.tlsPath}/${fileNames.certificate}`,
        keyFile: `${layout.tlsPath}/${fileNames.key}`,
      }),
    },
  };
}

/** One proxy, to Envoy; none where the service takes nothing at the server. */
function proxies(input: FrpcInput, layout: Layout): readonly object[] {
  const proxy = input.isExposed === false ? undefined : exposedProxy(input);
  if (proxy === undefined) return [];
  const { name, type, ...taken } = proxy;
  return [{ name, type, localIP: '127.0.0.1', localPort: layout.ingressPort, ...taken }];
}

/**
 * JSON in which no string can begin a template: frpc runs Go's text/template over the file before it parses it, and a template, which
 * begins with `{{`, could read the environment. Outside of strings two braces never meet.
 */
function encode(config: object): string {
  const text = JSON.stringify(config, refuseHalfPairs, 2);
  return `${text.replace(/"(?:[^"\\]|\\.)*"/g, (literal) => literal.replaceAll('{', '\\u007b'))}\n`;
}

function refuseHalfPairs(key: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.isWellFormed()) return value;
  throw new KnudgeError('invalid-object', `${key} ${JSON.stringify(value)} is not Unicode text: write it anew`);
}
