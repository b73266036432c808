import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { asKnudgeError, KnudgeError } from '../packages/controller/domain/errors.ts';
import { type RecordedRequest, toRequest } from '../packages/controller/wire/recorded-request.ts';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { addressAmong, servedAt } from '../packages/mesh/served-at.ts';
import { readState } from '../packages/mesh/state.ts';
import { root } from './about.ts';
import { exitCodes } from './exit-codes.ts';
import { type Common, dirOption, functionTokenOption, httpAddress, leaf, seconds, stemArgument } from './leaf.ts';
import { bearing } from './replay/ask.ts';
import { show } from './show.ts';

interface Options extends Common {
  readonly dir: string;
  readonly url?: string;
  readonly dryRun?: boolean;
  readonly functionToken?: string;
  readonly timeout: number;
}

interface Answered {
  readonly function: string;
  readonly url: string;
  readonly status: number;
  /** The headers of docs/events.md that report the outcome. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed if it is JSON. */
  readonly body?: unknown;
}

/** `knudge invoke`: sends one recorded event straight to a function. */
export function invokeCommand(): Command {
  return leaf('invoke', 'send a recorded event straight to a function, past the Broker')
    .addArgument(stemArgument())
    .argument('<file>', 'a recorded event, as test/fixtures/events has them')
    .addOption(dirOption())
    .addOption(
      new Option('--url <url>', 'address of the function, instead of the one in the mesh').argParser(httpAddress),
    )
    .option('--dry-run', 'print the plan and write nothing')
    .addOption(functionTokenOption())
    .option('--timeout <seconds>', 'the longest wait for the whole answer', seconds, 60)
    .action(invoke);
}

async function invoke(stem: string, file: string, options: Options): Promise<void> {
  const request = readRequest(file);
  const { url: base, path } = addressOf(stem, options);
  const url = new URL(request.path === '/' ? path : request.path, base);
  if (options.dryRun) url.searchParams.set('dryRun', 'All');
  const answered = { function: stem, url: url.href, ...(await post(url, request, options)) };
  show(answered, () => textOf(answered), options);
  if (answered.status > 299) process.exitCode = exitCodes.failed;
}

function readRequest(file: string): RecordedRequest {
  try {
    return toRequest(readFileSync(file, 'utf8'));
  } catch (cause) {
    const { message } = cause as Error;
    throw new KnudgeError('misuse', `${file} cannot be sent: ${message}`, { cause });
  }
}

function addressOf(stem: string, { url, dir }: Options): { readonly url: string; readonly path: string } {
  const spec = readManifests({ root });
  const { service, path } = servedAt(stem, spec);
  if (url !== undefined) return { url, path };
  const { functions } = readState(resolve(dir));
  const found = addressAmong(functions, stem, spec);
  if (found !== undefined) return found;
  const all = Object.keys(functions).join(', ');
  throw new KnudgeError('misuse', `The mesh in ${dir} has no function ${service}: ${all}`);
}

async function post(
  url: URL,
  { headers: attributes, body }: RecordedRequest,
  { timeout, functionToken }: Options,
): Promise<Pick<Answered, 'status' | 'headers' | 'body'>> {
  try {
    const signal = AbortSignal.timeout(timeout * 1000);
    const headers = { ...attributes, ...bearing(functionToken) };
    const answer = await fetch(url, { method: 'POST', headers, body, signal });
    const text = await answer.text();
    const told = [...answer.headers].filter(([name]) => /^(knudge-|retry-after$|ce-)/.test(name));
    return { status: answer.status, headers: Object.fromEntries(told), ...(text !== '' && { body: parsed(text) }) };
  } catch (error) {
    const { message, cause } = error as Error;
    throw new KnudgeError('unavailable', `${url.href} does not answer: ${asKnudgeError(cause ?? message).message}`, {
      cause: error,
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf({ function: stem, status, headers, body }: Answered): string {
  const told = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const said = body === undefined ? [] : [typeof body === 'string' ? body : JSON.stringify(body, null, 2)];
  return [`${stem} answered ${status}`, ...told, ...said].join('\n');
}
