import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileNames } from '../../../resources/distributed-service/envoy/data-plane.ts';
import { childName } from '../../../resources/distributed-service/names.ts';
import { installed } from '../../../tools/dataplane/install.ts';
import { outsideOfPod } from '../outside-of-a-pod.ts';
import { type Running, start, temporaryFolder } from '../programs.ts';
import { fieldOf } from './cluster.ts';
import type { DataPlane } from './world.ts';

const tools = await installed();

/** What somebody shows who is not the Pod of the service, but has its configuration. */
export interface Stranger {
  /** The certificate and the key; none: shows none. */
  readonly leaf?: { readonly certificate: string; readonly key: string };
  /** Whom it trusts, if not whom the profile says. */
  readonly authority?: string;
  /** The name it wants of the server. */
  readonly serverName?: string;
  /** `false`: does not speak TLS at all. */
  readonly tls?: false;
  /** What it exposes otherwise than the service does. */
  readonly proxy?: Readonly<Record<string, string | number>>;
}

/** frpc with the configuration of the service `web`, but for what the stranger has in its place. */
export function startStranger(context: TestContext, world: DataPlane, stranger: Stranger): Running {
  const folder = temporaryFolder(context);
  const file = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const data = fieldOf(world.get('v1', 'ConfigMap', childName('web', 'config')), 'data') as Record<string, string>;
  const moved = (data[fileNames.frpc] ?? '').replaceAll('/etc/knudge', folder);
  const config = JSON.parse(moved) as { transport: { tls: Record<string, unknown> }; proxies: readonly object[] };
  const { certFile, keyFile, ...tls } = config.transport.tls;
  const { leaf, authority, serverName, tls: speaksTls = true } = stranger;
  config.transport.tls = {
    ...tls,
    enable: speaksTls,
    ...(serverName !== undefined && { serverName }),
    ...(leaf !== undefined && { certFile, keyFile }),
  };
  file(`tls/${fileNames.certificate}`, leaf?.certificate ?? '');
  file(`tls/${fileNames.key}`, leaf?.key ?? '');
  file(`config/${fileNames.serverAuthority}`, authority ?? data[fileNames.serverAuthority] ?? '');
  config.proxies = config.proxies.map((proxy) => ({ ...proxy, ...stranger.proxy }));
  const token = String(fieldOf(world.server.tokenSecret, 'data', 'token'));
  file(`identity/${fileNames.token}`, Buffer.from(token, 'base64').toString());
  file(fileNames.frpc, JSON.stringify({ ...config, ...outsideOfPod }));
  return start(context, tools.frpc, ['-c', join(folder, fileNames.frpc)]);
}
