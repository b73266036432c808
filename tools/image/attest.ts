import { createHash, type KeyObject } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Product, partsStatementOf, type Statement } from './provenance.ts';
import { signedBundle } from './signing.ts';

export interface Attestations {
  /** The unsigned statement about how the image was built. */
  readonly provenance: string;
  /** That and the list of parts, signed; empty without a key. */
  readonly signed: readonly string[];
}

interface AttestOptions {
  /** The beginning of the files' names. */
  readonly stem: string;
  readonly product: Product;
  readonly provenance: Statement;
  readonly parts: object;
  readonly key: KeyObject | undefined;
}

/** Writes the statements about an image beside it, and, with a key, signs them. */
export function attest({ stem, product, provenance, parts, key }: AttestOptions): Attestations {
  const plain = `${stem}.provenance.json`;
  write(plain, provenance);
  const statements: readonly [string, Statement][] = [
    [`${stem}.provenance.sigstore.json`, provenance],
    [`${stem}.cdx.sigstore.json`, partsStatementOf(product, parts)],
  ];
  for (const [file, statement] of statements) {
    // A file of an earlier build would be about another image.
    if (key === undefined) rmSync(file, { force: true });
    else write(file, signedBundle(statement, key));
  }
  return { provenance: plain, signed: key === undefined ? [] : statements.map(([file]) => file) };
}

/** SHA-256 of a file, which is read whole. */
export function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function write(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
