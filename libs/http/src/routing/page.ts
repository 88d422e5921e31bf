/** A public file of the interactive documentation. */
export interface Page {
  readonly method: 'GET';
  /** Below the app's base path. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}
