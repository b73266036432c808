import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Of } from '../image/attest.ts';
import { signatureOf } from '../image/signing.ts';

const list = 'SHA256SUMS';

/** Writes the checksums of a folder's files as sha256sum reads them, and the signature of that list. */
export function writeSums(folder: string, key: KeyObject): void {
  const names = readdirSync(folder).filter((name) => !name.startsWith(list));
  const text = names.sort().map((name) => `${sha256Of(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, list), text.join(''));
  writeFileSync(join(folder, `${list}.sig`), signatureOf(Buffer.from(text.join('')), key));
}

/** A key for one dry run, which is not kept. */
export function passingKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

/** Writes the public half of a key, for verification. */
export function writePublicKey(file: string, key: KeyObject): void {
  writeFileSync(file, createPublicKey(key).export({ format: 'pem', type: 'spki' }));
}
