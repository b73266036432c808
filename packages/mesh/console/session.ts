import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Lets pages use the console: a page that has shown the token of its address has a cookie from then on. */
export interface Session {
  /** For the fragment of the next address, which a browser sends to nobody: each is good for one page. */
  token(): string;
  /** The header Set-Cookie for a page that shows the token, which is spent with that; nothing where it is another one. */
  opened(token: unknown, port: number): string | undefined;
  /** Whether the header Cookie has the cookie. */
  isOpen(cookies: string | undefined, port: number): boolean;
}

/** A session with tokens and a cookie that nobody can guess; it lasts as long as this process. */
export function createSession(onSpent: () => void = () => undefined): Session {
  const cookie = random();
  let token = random();
  return {
    token: () => token,
    opened: (given, port) => {
      if (typeof given !== 'string' || !isSame(given, token)) return undefined;
      token = random();
      onSpent();
      return `${nameAt(port)}=${cookie}; Path=/console; HttpOnly; SameSite=Strict`;
    },
    isOpen: (cookies = '', port) =>
      cookies.split(/; */).some((one) => {
        const [name = '', value = ''] = one.split('=');
        return name === nameAt(port) && isSame(value, cookie);
      }),
  };
}

function random(): string {
  return randomBytes(32).toString('base64url');
}

/** A browser keeps the cookies of all ports of a machine together. */
function nameAt(port: number): string {
  return `knudge-console-${port}`;
}

/** In the same time, whatever they have in common. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
