import { spawnSync } from 'node:child_process';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';

/**
 * Generates what follows from a project; returns the paths of the files that were written. In a process of its own, because this one may
 * have loaded the controller as it was before.
 */
export function generateFiles(root: string): readonly string[] {
  const args = [`${import.meta.dirname}/../knudge.js`, 'generate', '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0)
    throw new KnudgeError('misuse', `the files are written, and \`npx knudge generate\` failed: ${stderr || stdout}`);
  const { files } = JSON.parse(stdout) as { readonly files: readonly { readonly file: string }[] };
  return files.map(({ file }) => file);
}
