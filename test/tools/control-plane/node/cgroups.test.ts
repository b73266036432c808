import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cgroupMounts, whyNoCgroups } from '../../../../tools/control-plane/node/cgroups.ts';

const one = `23 20 0:21 / /proc rw,relatime - proc proc rw
24 20 0:22 / /sys/fs/cgroup rw,relatime shared:9 - tmpfs tmpfs rw,mode=755
25 24 0:23 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
26 24 0:24 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset,memory
27 24 0:25 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,xattr,name=systemd
28 24 0:26 / /sys/fs/cgroup/unified rw,relatime shared:10 - cgroup2 cgroup2 rw
`;

test('hierarchies of both versions are found among other mounts', () => {
  assert.deepEqual(
    cgroupMounts(one).map(({ path, version }) => [path, version]),
    [
      ['/sys/fs/cgroup/cpu', 1],
      ['/sys/fs/cgroup/cpuset', 1],
      ['/sys/fs/cgroup/systemd', 1],
      ['/sys/fs/cgroup/unified', 2],
    ],
  );
});

const sentence = (names: string): string =>
  `A real node needs the cgroup controllers ${names}, which are not mounted here: mount them under /sys/fs/cgroup.`;

const rows = [
  { what: 'one controller is on neither version', unified: [], wants: sentence('pids') },
  { what: 'the controllers are on both versions together', unified: ['pids', 'io'], wants: undefined },
];

for (const { what, unified, wants } of rows) {
  test(`${what}: ${wants === undefined ? 'that will do' : 'that is told'}`, () => {
    assert.equal(
      whyNoCgroups(cgroupMounts(one), () => unified),
      wants,
    );
  });
}

test('without cgroups all that is needed is told', () => {
  assert.equal(whyNoCgroups([]), sentence('cpu, cpuset, memory, pids'));
});
