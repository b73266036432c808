import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { send } from '../../controller/server/respond.ts';
import { type LogRequest, refuse } from './request.ts';

/** A file of the console, with its media type. */
export interface ConsoleFile {
  readonly type: string;
  readonly body: Buffer;
}

/** The files of the console by their names; nothing where this Knudge has none. */
export type ConsoleFiles = () => Promise<ReadonlyMap<string, ConsoleFile> | undefined>;

const headers = {
  // No inline script or style, no other origin, no frame, no form.
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // Asked for each time; the answer is 304 where nothing has changed.
  'cache-control': 'no-cache',
} as const;

/** Serves the files of the console below `/console/`; a path whose last part has no dot is a page, and all pages are one file. */
export async function serveConsole(
  { path, headers: asked }: LogRequest,
  response: ServerResponse,
  { files, leaving }: { readonly files: ConsoleFiles; readonly leaving: () => boolean },
): Promise<void> {
  const all = await files();
  const name = path.slice('/console/'.length);
  const isPage = !(name.split('/').at(-1) ?? '').includes('.');
  const file = all?.get(isPage ? 'index.html' : name);
  if (file === undefined) {
    const why = all === undefined ? 'this Knudge was built without the console' : 'the console has no such file';
    send(response, refuse(404, why), leaving());
    return;
  }
  const etag = `"${createHash('sha256').update(file.body).digest('base64url')}"`;
  const given = { ...headers, etag, ...(leaving() && { connection: 'close' }) };
  if (asked['if-none-match'] === etag) response.writeHead(304, given).end();
  else
    response.writeHead(200, { ...given, 'content-type': file.type, 'content-length': file.body.length }).end(file.body);
}
