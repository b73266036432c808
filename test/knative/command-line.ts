import { type Ended, runIn } from '../../cli/test/knudge.ts';
import { testKubeconfig } from '../kube/api.ts';

/** `knudge` with these arguments against the cluster of the tests. */
export function runKnudge(...args: readonly string[]): Promise<Ended> {
  return runIn('.', [...args, '--kubeconfig', testKubeconfig()]).ended;
}

/** What it prints a line of JSON each; throws what it says where it does not end as wanted. */
export async function jsonOf(args: readonly string[], wanted = 0): Promise<readonly unknown[]> {
  const { code, out, said } = await runKnudge(...args, '--json');
  if (code !== wanted) throw new Error(`knudge ${args.join(' ')} ended with ${String(code)}: ${said}${out}`);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}
