import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';

/** Characters that are written together. */
const atOnce = 64 * 1024;

/**
 * Writes texts to a file, which appears only when it is complete, or to the standard output, whose reader may leave when it
 * has enough. Throws `invalid-request` if the file cannot be written.
 */
export async function writeTexts(texts: AsyncIterable<string>, file: string | undefined): Promise<void> {
  return file === undefined ? writeOut(texts) : writeFile(texts, resolve(file));
}

async function writeFile(texts: AsyncIterable<string>, file: string): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(together(texts)), createWriteStream(draft));
    await rename(draft, file);
  } catch (cause) {
    if (cause instanceof KnudgeError) throw cause;
    throw new KnudgeError('invalid-request', `${file} cannot be written: ${(cause as Error).message}`, { cause });
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeOut(texts: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  // Errors that come after the pipeline removed its own handler.
  stdout.on('error', () => undefined);
  try {
    await pipeline(Readable.from(together(texts)), stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

async function* together(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let waiting: string[] = [];
  let length = 0;
  for await (const text of texts) {
    waiting.push(text);
    length += text.length;
    if (length < atOnce) continue;
    yield waiting.join('');
    [waiting, length] = [[], 0];
  }
  if (length > 0) yield waiting.join('');
}
