import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program that can replace Envoy: round-robin over the same backends, one worker, connections kept. */
export interface Engine {
  readonly name: string;
  /** Writes its configuration into a folder; returns its arguments. */
  configure(folder: string, at: { readonly port: number; readonly backends: readonly string[] }): readonly string[];
}

const nginx: Engine = {
  name: 'nginx',
  configure: (folder, { port, backends }) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (what) => `${what}_temp_path ${join(folder, what)};`,
    );
    const text = `
daemon off; master_process off; user root; pid ${join(folder, 'nginx.pid')}; error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off; keepalive_requests 1000000; ${temporary.join(' ')}
  upstream backends { ${backends.map((one) => `server ${one};`).join(' ')} keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${String(port)};
    location / {
      proxy_pass http://backends; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
    }
  }
}
`;
    writeFileSync(join(folder, 'nginx.conf'), text);
    return ['-p', folder, '-c', join(folder, 'nginx.conf')];
  },
};

const haproxy: Engine = {
  name: 'haproxy',
  configure: (folder, { port, backends }) => {
    const servers = backends.map((one, index) => `  server s${String(index)} ${one}`).join('\n');
    const text = `
global
  nbthread 1
defaults
  mode http
  timeout connect 1s
  timeout client 1m
  timeout server 1m
  http-reuse always
frontend ingress
  bind 127.0.0.1:${String(port)}
  default_backend backends
backend backends
  balance roundrobin
${servers}
`;
    writeFileSync(join(folder, 'haproxy.cfg'), text);
    return ['-db', '-f', join(folder, 'haproxy.cfg')];
  },
};

/** The engines that can run here (Debian: nginx, haproxy), and the names of the others. */
export function findEngines(): { readonly found: readonly Engine[]; readonly missing: readonly string[] } {
  const all = [nginx, haproxy];
  const found = all.filter(({ name }) => isInstalled(name));
  return { found, missing: all.filter((one) => !found.includes(one)).map(({ name }) => name) };
}

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
