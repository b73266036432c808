import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../house/files.ts';
import { until } from '../kube/until.ts';
import type { NewProject } from './project.ts';

/** What `makeProject` has done already. */
const done = [
  /^npm ci$/,
  /^npm run pack$/,
  /^npm exec --yes --package \S+ -- knudge new controller demo$/,
  /^cd demo$/,
  /^export KUBECONFIG=\.knudge\/kubeconfig$/,
];

/** The commands of docs/tutorial.md, in their order. */
export const commands: readonly string[] = [...textOf('docs/tutorial.md').matchAll(/^```bash\n(.*?)^```$/gms)]
  .flatMap(([, lines = '']) => lines.trim().split('\n'))
  .filter((command) => !done.some((one) => one.test(command)));

/** Runs these commands as a person does; `end` ends what still runs. */
export function reader(project: NewProject): {
  readonly run: (command: string) => Promise<void>;
  readonly end: () => void;
} {
  let running: ChildProcess | undefined;
  const env = { ...process.env, KUBECONFIG: join(project.folder, '.knudge/kubeconfig') };
  const end = (): void => {
    running?.kill('SIGKILL');
    running = undefined;
  };
  const run = async (command: string): Promise<void> => {
    const [program = '', ...args] = command.split(' ');
    if (command === 'npm start') {
      ended(project.knudge('generate'), command);
      // A mesh that was killed leaves it.
      rmSync(join(project.folder, '.knudge/state.json'), { force: true });
      const all = [...project.command, 'dev', '--port', '0'];
      running = spawn(process.execPath, all, { cwd: project.folder, stdio: 'ignore' });
      await until('the mesh is up', async () => existsSync(join(project.folder, '.knudge/state.json')), 60);
    } else if (command === 'npm test') {
      ended(project.knudge('generate'), command);
      ended(project.node('--test', 'test/*.test.ts'), command);
    } else if (program === 'npx' && args[0] === 'knudge') {
      if (args[1] === 'new') end();
      ended(project.knudge(...args.slice(1)), command);
    } else {
      assert.equal(program, 'kubectl', `${command}: this test runs no such command`);
      ended(spawnSync('kubectl', args, { cwd: project.folder, env, encoding: 'utf8' }), command);
    }
  };
  return { run, end };
}

function ended({ status, stdout, stderr }: ReturnType<NewProject['node']>, command: string): void {
  assert.equal(status, 0, `${command}: ${stderr}${stdout}`);
}
