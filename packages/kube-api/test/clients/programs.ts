import { execFile } from 'node:child_process';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { helmProgram } from '../../../../tools/helm/install.ts';
import { startEmbedded } from '../../fidelity/embedded.ts';

const run = promisify(execFile);

type Program = (...args: readonly string[]) => Promise<string>;

/** An embedded API of its own for a test, and programs that use it as people do. */
export interface Programs {
  readonly kubeconfig: string;
  /** What kubectl prints; rejects with what it says if it fails. */
  readonly kubectl: Program;
  readonly helm: Program;
  /** kubectl with this on its standard input. */
  readonly pipe: (text: string, ...args: readonly string[]) => Promise<string>;
}

export async function withPrograms(context: TestContext): Promise<Programs> {
  const { server, close } = await startEmbedded();
  context.after(close);
  const env = { PATH: process.env['PATH'], HOME: server.home, KUBECONFIG: server.kubeconfig };
  const options = { env, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
  const pipe = async (text: string, ...args: readonly string[]): Promise<string> => {
    const running = run('kubectl', args, options);
    running.child.stdin?.end(text);
    return (await running).stdout;
  };
  // Found with the folder of this machine's user, in which it is cached.
  const program = helmProgram();
  return {
    kubeconfig: server.kubeconfig,
    pipe,
    kubectl: (...args) => pipe('', ...args),
    helm: async (...args) => (await run(await program, args, options)).stdout,
  };
}
