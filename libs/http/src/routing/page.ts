/** A public file of the interactive documentation, or a page of errors. */
export interface Page {
  readonly method: 'GET';
  /** Below the app's base path. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** The same as JSON, for clients that prefer it by `Accept`. */
  readonly json?: Buffer;
  /** Its only inline styles; it has no script and loads nothing. Absent: files of the same origin are allowed. */
  readonly style?: string;
}
