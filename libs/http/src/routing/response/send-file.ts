// Static files of a web page, which another part of the program finds. Public, like the page of the documentation.
import { AppError } from '@busbar/core';
import type { RequestHandler } from 'express';
import { exchangeOf } from '../exchange';
import type { Encoding } from '../page';
import { acceptedEncoding } from './compress';

export interface StaticFile {
  readonly body: Buffer;
  /** The body compressed beforehand, for clients that accept it. */
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
  /** With the content type, the policy of the page, and how long caches may keep it. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface FileRequest {
  /** As sent, without the query. */
  readonly path: string;
  /** A browser opens it as a page. */
  readonly isNavigation: boolean;
}

/** The file at a path; undefined where there is none. May throw another error than `not_found`. */
export type FileFinder = (request: FileRequest) => StaticFile | { readonly redirect: string } | undefined;

/** For metrics: one name for all files. */
const ROUTE = '/*';

/** Sends the file of the path. Where there is none, the next handler runs. Throws `method_not_allowed`. */
export function sendFiles(find: FileFinder): RequestHandler {
  return (request, response, next) => {
    const { notes } = exchangeOf(response);
    const isNavigation = request.headers['sec-fetch-mode'] === 'navigate';
    const found = find({ path: notes.path, isNavigation });
    if (found === undefined) {
      next();
      return;
    }
    notes.route = ROUTE;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const allow = 'GET, HEAD';
      throw new AppError('method_not_allowed', `This path has only ${allow}.`, { details: { allow } });
    }
    if ('redirect' in found) {
      response.redirect(302, found.redirect);
      return;
    }
    const encoding = acceptedEncoding(request);
    const encoded = encoding && found.encoded[encoding];
    response.set(found.headers).vary('Accept-Encoding');
    if (encoding !== undefined && encoded !== undefined) response.set('content-encoding', encoding);
    response.send(encoded ?? found.body);
  };
}
