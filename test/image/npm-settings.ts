import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { output } from '../../tools/debian/commands.ts';

/** Of the user whose commands build the image. */
const home = '/root';
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/** Files, by where to mount them, with which npm in a container asks the registry that npm of this machine asks, and trusts the same authorities. */
export function npmSettings(folder: string): Readonly<Record<string, string>> {
  const setting = (name: string): string => output('npm', 'config', 'get', name).trim();
  const [trusted, settings, own] = [join(folder, 'authorities.pem'), join(folder, 'npmrc'), setting('userconfig')];
  writeFileSync(trusted, `${getCACertificates('default').join('\n')}\n`);
  writeFileSync(settings, `registry=${setting('registry')}\ncafile=${authorities}\n`);
  return {
    [authorities]: trusted,
    [`${home}/.npmrc`]: settings,
    // The global settings there, which the former go before, because a variable of this machine may name another registry.
    ...(existsSync(own) && { '/usr/local/etc/npmrc': own }),
  };
}
