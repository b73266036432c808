import type { TestContext } from 'node:test';
import type { Command } from 'commander';
import { tellFailure } from '../tell-failure.ts';

export interface Ran {
  readonly out: string;
  readonly said: string;
  readonly code: number;
}

/** A command in this process, as the command line would end with it. */
export async function runCommand(context: TestContext, command: Command, args: readonly string[]): Promise<Ran> {
  const out = context.mock.method(console, 'log', () => undefined);
  const said = context.mock.method(console, 'error', () => undefined);
  const before = process.exitCode;
  let code = 0;
  try {
    process.exitCode = undefined;
    await command.parseAsync([...args], { from: 'user' });
    code = Number(process.exitCode ?? 0);
  } catch (error) {
    code = tellFailure(error, args.includes('--json'));
  } finally {
    process.exitCode = before;
    out.mock.restore();
    said.mock.restore();
  }
  return { out: linesOf(out), said: linesOf(said), code };
}

function linesOf({
  mock,
}: {
  readonly mock: { readonly calls: readonly { readonly arguments: readonly unknown[] }[] };
}) {
  return mock.calls.map((call) => `${String(call.arguments[0])}\n`).join('');
}
