import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leftBehind, mountsIn } from '../../../tools/test/left-behind.ts';

describe('what a node leaves on its machine', () => {
  it('is what is there now and was not before', () => {
    const before = new Set(['link lo', 'link eth0']);
    const now = new Set(['link lo', 'process 7 containerd', 'link eth0', 'cgroup knudge-node']);
    assert.deepEqual(leftBehind(before, now), ['cgroup knudge-node', 'process 7 containerd']);
    assert.deepEqual(leftBehind(now, before), []);
  });

  it('of mounts are those at its folders and below, and no others', () => {
    const mountinfo = [
      '22 1 0:20 / /proc rw - proc proc rw',
      '90 22 0:45 / /var/lib/kubelet rw - tmpfs tmpfs rw',
      '91 90 0:46 / /var/lib/kubelet/pods/1/volumes rw - tmpfs tmpfs rw',
      '92 22 0:47 / /var/lib/kubelet-of-others rw - tmpfs tmpfs rw',
      '',
    ].join('\n');
    assert.deepEqual(mountsIn(mountinfo, ['/var/lib/kubelet']), [
      'mount /var/lib/kubelet',
      'mount /var/lib/kubelet/pods/1/volumes',
    ]);
  });
});
