import promises from 'node:fs/promises';
import { Server, Socket } from 'node:net';

// Loaded into every contestant of a bench before its own code.

/** The mount of a ServiceAccount is at BENCH_MOUNT: only root could make it in its usual place. */
const mount = process.env['BENCH_MOUNT'];
if (mount !== undefined) {
  const { readFile } = promises;
  const redirected = (path: string, options: 'utf8') =>
    readFile(path.replace('/var/run/secrets/kubernetes.io/serviceaccount', mount), options);
  Object.assign(promises, { readFile: redirected });
}

/** File descriptor 3 is a connection that the bench has opened, with a request in it: used as soon as a server listens. */
if (process.env['BENCH_CONNECTION'] === '3') {
  const { listen } = Server.prototype;
  Server.prototype.listen = function handOver(this: Server, ...args: Parameters<typeof listen>) {
    listen.apply(this, args);
    this.emit('connection', new Socket({ fd: 3, readable: true, writable: true }));
    return this;
  } as typeof listen;
}
