import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** What the kubelet sets for the whole machine (pkg/util/sysctl of Kubernetes 1.35), as files under /proc/sys. */
const setByKubelet = [
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
];

export type Sysctls = Readonly<Record<string, string>>;

export function readSysctls(): Sysctls {
  const present = setByKubelet.filter((name) => existsSync(`/proc/sys/${name}`));
  return Object.fromEntries(present.map((name) => [name, readFileSync(`/proc/sys/${name}`, 'utf8').trim()]));
}

/** Restores those that have changed. */
export function restoreSysctls(before: Sysctls): void {
  const now = readSysctls();
  for (const [name, value] of Object.entries(before)) {
    if (now[name] !== value) writeFileSync(`/proc/sys/${name}`, value);
  }
}
