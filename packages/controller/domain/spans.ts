/** Which trace and which span of it: the ids of W3C Trace Context, in lower-case hexadecimal digits. */
export interface SpanContext {
  /** 32 digits, not all zero. */
  readonly traceId: string;
  /** 16 digits, not all zero. */
  readonly spanId: string;
  /** Whether spans of this trace are sent. */
  readonly isSampled: boolean;
}

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanStart {
  /** `client` waits for another program, `producer` sends an event, and `consumer` handles one. */
  readonly kind: 'internal' | 'client' | 'producer' | 'consumer';
  /** Undefined begins a trace. */
  readonly parent?: SpanContext | undefined;
  readonly links?: readonly SpanContext[];
  readonly attributes?: Attributes;
  /** Milliseconds since 1970; now if absent. */
  readonly began?: number;
}

export interface SpanEnd {
  readonly attributes?: Attributes;
  /** A sentence; with it the span has failed. */
  readonly error?: string;
  /** Milliseconds since 1970; now if absent. */
  readonly at?: number;
}

/** A piece of work that has begun. */
export interface Span {
  readonly context: SpanContext;
  /** Says that this work has to do with another span. After the end it does nothing. */
  link(to: SpanContext): void;
  /** Only the first call counts. */
  end(how?: SpanEnd): void;
}

/** One version of one object; the version is empty for a deletion at once, which makes no version. */
export interface Version {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Takes note of what is done and how long it takes. Never fails, and waits for nothing. */
export interface Tracer {
  /** Milliseconds since 1970, with a fraction. */
  readonly now: () => number;
  start(name: string, how: SpanStart): Span;
  /** Remembers which span has written a version, for the event that comes of it in this process or another. */
  wrote(version: Version, by: SpanContext): void;
  /** The span of this process that has written a version. */
  writerOf(version: Version): SpanContext | undefined;
  /** The span that stands for the write of a version in whichever process wrote it, and leads on to its span. */
  markOf(version: Version): SpanContext;
}

/** A span that work belongs to, and what makes further ones. */
export interface Traced {
  readonly tracer: Tracer;
  readonly span: Span;
}
