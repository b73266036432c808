import { readFileSync } from 'node:fs';

/** States of a socket in /proc/net, as the kernel numbers them (include/net/tcp_states.h): a UDP socket that takes anything is "closed". */
const open = { tcp: '0A', tcp6: '0A', udp: '07', udp6: '07' } as const;

/**
 * Where anybody in the network namespace of a process takes connections or datagrams: `tcp 8080`, and `tcp 9901 on loopback`
 * where nobody outside of it gets there. It is the kernel's own list, so no port is missed.
 */
export function listening(pid: number): readonly string[] {
  const found = Object.entries(open).flatMap(([table, state]) => {
    const [, ...lines] = readFileSync(`/proc/${String(pid)}/net/${table}`, 'utf8')
      .trim()
      .split('\n');
    return lines.flatMap((line) => {
      const [, local = '', , told] = line.trim().split(/\s+/);
      const [address = '', port = ''] = local.split(':');
      const where = isLoopback(address) ? ' on loopback' : '';
      return told === state ? [`${table.slice(0, 3)} ${Number.parseInt(port, 16)}${where}`] : [];
    });
  });
  return [...new Set(found)].sort();
}

/** Words of 32 bits, each as this machine stores them: 127.0.0.1 is `0100007F`, ::1 is zeros and `01000000`. */
function isLoopback(address: string): boolean {
  return (
    /^[0-9A-F]{6}7F$/.test(address) ||
    address === `${'0'.repeat(24)}01000000` ||
    /^0{16}FFFF0000[0-9A-F]{6}7F$/.test(address)
  );
}
