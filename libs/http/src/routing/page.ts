/** Encodings of HTTP in which a page may be there beforehand. */
export type Encoding = 'br' | 'gzip';

/** A public file of the interactive documentation, or a page of errors. */
export interface Page {
  readonly method: 'GET';
  /** Below the app's base path. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** The body compressed beforehand, for clients that accept it. */
  readonly encoded?: Readonly<Record<Encoding, Buffer>> | undefined;
  /** The same as JSON, for clients that prefer it by `Accept`. */
  readonly json?: Buffer;
  /** Its only inline styles; it has no script and loads nothing. Absent: files of the same origin are allowed. */
  readonly style?: string;
}
