import { createServer, Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';

/** One end of a connection that is in this process alone. */
class End extends Duplex {
  readonly port: number;
  other: End | undefined;
  #more: (() => void) | undefined;
  readonly #isClient: boolean;

  constructor(port: number, isClient: boolean) {
    super();
    this.port = port;
    this.#isClient = isClient;
  }

  override _read(): void {
    const more = this.#more;
    this.#more = undefined;
    more?.();
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    const { other } = this;
    if (other === undefined || other.destroyed || other.push(chunk)) done();
    else other.#more = done;
  }

  override _final(done: () => void): void {
    if (this.other?.destroyed === false) this.other.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { other } = this;
    done(error);
    if (other === undefined) return;
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    process.nextTick(() => void other.destroy(other.#isClient ? reset : undefined));
  }

  /** From now on nothing comes or goes, and neither end learns of it. */
  part(): void {
    const { other } = this;
    this.other = undefined;
    if (other !== undefined) other.other = undefined;
  }

  setKeepAlive = (): this => this;
  setNoDelay = (): this => this;
  setTimeout = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
}

/** A request as it has arrived. */
export interface Arrived {
  /** Which of the servers was meant: each source has its own ports. */
  readonly port: number;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly response: ServerResponse;
}

/** Every port of this machine, as far as HTTP of this process goes. */
export interface Network {
  /** Cuts every connection to this port without a word: its client hears nothing more, and what the client sends is lost. */
  part(port: number): void;
  restore(): void;
}

let answer: (arrived: Arrived) => void = () => undefined;

/** Never listens, and watches no clock. */
const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 }, (request, response) => {
  response.sendDate = false;
  const { port } = request.socket as unknown as End;
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  void text(request).then(
    (body) => answer({ port, url, headers: request.headers, body, response }),
    () => undefined,
  );
});

const { createConnection } = HttpAgent.prototype;

/** Takes over every HTTP connection that this process makes. What `isParted` says of a port nobody hears. */
export function takeOverNetwork(answers: (arrived: Arrived) => void, isParted: (port: number) => boolean): Network {
  const ends = new Set<End>();
  answer = answers;
  HttpAgent.prototype.createConnection = ({ port }) => {
    const [client, far] = [new End(Number(port), true), new End(Number(port), false)];
    client.other = far;
    far.other = client;
    if (isParted(Number(port))) client.part();
    else server.emit('connection', far);
    ends.add(far);
    far.once('close', () => ends.delete(far));
    // No sooner than those who made it listen.
    setImmediate(() => client.emit('connect'));
    return client;
  };
  return {
    part: (port) => {
      for (const end of ends) if (end.port === port) end.part();
    },
    restore: () => {
      HttpAgent.prototype.createConnection = createConnection;
      for (const end of ends) {
        end.part();
        end.destroy();
      }
      answer = () => undefined;
    },
  };
}
