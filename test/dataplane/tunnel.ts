import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { issuer } from '../../packages/issuing/issuer.ts';
import type { KeyPair } from '../../packages/issuing/types.ts';
import { fileNames, podLayout } from '../../resources/distributed-service/envoy/data-plane.ts';
import { frpcConfig } from '../../resources/distributed-service/frp/frpc-config.ts';
import type { Login, ServerProfile } from '../../resources/distributed-service/frp/server-profile.ts';
import { installed } from '../../tools/dataplane/install.ts';
import { outsideOfPod } from './outside-of-a-pod.ts';
import { freePort, type Running, start, temporaryFolder, until } from './programs.ts';

const tools = await installed();
const life = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-01-01T00:00:00Z' };
const serverName = 'frps.example';
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

export interface Asked {
  readonly op: string;
  readonly content: { readonly privilege_key?: string; readonly timestamp?: number; readonly metas?: object };
}

/** Stands for the gate: takes one token, and answers frps, whose own token is empty, in the way that frps understands. */
export async function startGate(
  context: TestContext,
  token: string,
): Promise<{ readonly port: number; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const question = JSON.parse(body) as Asked;
    asked.push(question);
    const { op, content } = question;
    const isLogin = op === 'Login';
    const answer =
      isLogin && content.privilege_key !== token
        ? { reject: true, reject_reason: 'no service has this token' }
        : { reject: false, unchange: !isLogin, content: { ...content, privilege_key: md5(String(content.timestamp)) } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

export interface Scene {
  readonly login: Login;
  /** What frpc finds in its token file. */
  readonly token: string;
  readonly server: object;
  /** The authority that frpc trusts, if not the one that signed the server's certificate. */
  readonly trusted?: KeyPair;
  readonly mtls?: boolean;
  readonly clientAuthority?: KeyPair;
}

export const newAuthority = (): Promise<KeyPair> => issuer.authority({ commonName: 'test authority', ...life });
const authority = await newAuthority();

/** frps, and frpc as the product configures it, whose only proxy leads to a web server. */
export async function play(
  context: TestContext,
  scene: Scene,
): Promise<{ readonly programs: readonly Running[]; readonly remotePort: number }> {
  const folder = temporaryFolder(context);
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const server = await issuer.leaf({
    commonName: serverName,
    dnsNames: [serverName],
    usage: 'server',
    authority,
    ...life,
  });
  const [bindPort, remotePort, ingressPort] = [await freePort(), await freePort(), await freePort()];
  const tls = {
    force: true,
    certFile: file('server.crt', server.certificate),
    keyFile: file('server.key', server.key),
    ...(scene.mtls && { trustedCaFile: file('clients.crt', authority.certificate) }),
  };
  const frpsConfig = {
    bindAddr: '127.0.0.1',
    proxyBindAddr: '127.0.0.1',
    bindPort,
    transport: { tls },
    ...scene.server,
  };
  const layout = { ...podLayout, ingressPort, configPath: folder, identityPath: folder, tlsPath: folder };
  const client = await issuer.leaf({
    ...life,
    commonName: 'shop/web',
    dnsNames: ['web.shop'],
    usage: 'client',
    authority: scene.clientAuthority ?? authority,
  });
  file(fileNames.certificate, client.certificate);
  file(fileNames.key, client.key);
  file(fileNames.token, `${scene.token}\n`);
  file(fileNames.serverAuthority, (scene.trusted ?? authority).certificate);
  const profile: ServerProfile = {
    name: 'default',
    configMap: { namespace: 'shop', name: 'frps' },
    address: '127.0.0.1',
    port: bindPort,
    serverName,
    authority: '',
    login: scene.login,
    heartbeatInterval: 1,
  };
  const spec = {
    serviceType: 'tcp',
    security: { mtls: { enabled: scene.mtls === true, autoGenerate: true } },
    expose: { remotePort },
  } as const;
  const config = file(
    fileNames.frpc,
    JSON.stringify({
      ...(JSON.parse(frpcConfig({ namespace: 'shop', name: 'web', uid: 'uid-1', spec, profile, layout })) as object),
      ...outsideOfPod,
    }),
  );
  const web = createServer((_, answer) => answer.end('hello')).listen(ingressPort, '127.0.0.1');
  await once(web, 'listening');
  context.after(() => {
    web.closeAllConnections();
    web.close();
  });
  const frps = start(context, tools.frps, ['-c', file('frps.json', JSON.stringify(frpsConfig))]);
  await until('frps listens', () => frps.said().includes('frps started successfully'), [frps]);
  const frpc = start(context, tools.frpc, ['-c', config]);
  return { programs: [frpc, frps], remotePort };
}
