/** A file that is served as it is, to anyone: of the interactive documentation. */
export interface Page {
  readonly method: 'GET';
  /** Below the app's base path. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}
