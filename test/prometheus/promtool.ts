import { spawnSync } from 'node:child_process';

/** What promtool says, on either output; it is where tools/test/run.ts has found it. */
export function runPromtool(
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly said: string } {
  const program = process.env['KNUDGE_TEST_PROMTOOL'];
  if (program === undefined) throw new Error('run npm run test:prometheus: it says where promtool is');
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', input });
  if (error) throw error;
  return { status, said: `${stdout}${stderr}` };
}
