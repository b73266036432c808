import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { distAddress } from './dist-address.ts';

/** A file of the console, with its media type. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files of the console by their names: those that were built before, else built now of what a clone has. */
export async function consoleAssets(): Promise<ReadonlyMap<string, Asset>> {
  const files = existsSync(distAddress) ? readFolder(distAddress) : await built();
  return new Map([...files].map(([name, body]) => [name, { type: typeOf(name), body }]));
}

function readFolder(folder: string): ReadonlyMap<string, Buffer> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

async function built(): Promise<ReadonlyMap<string, Buffer>> {
  const { buildConsole } = await import('./build/build.ts');
  return buildConsole();
}

function typeOf(name: string): string {
  return types[extname(name)] ?? 'application/octet-stream';
}
