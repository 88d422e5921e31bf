import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Page } from '../page';

/** Only files of the same origin, and icons that the style sheet has as data URLs. */
const PAGE_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Nothing but the page's own styles, by their hash, and an icon as a data URL. */
const STYLED_POLICY = {
  defaultSrc: ["'none'"],
  imgSrc: ['data:'],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** JSON loads nothing. */
const DATA_POLICY = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };

/** One year, without subdomains: other services may run there. */
const HSTS_MAX_AGE_S = 31_536_000;
export const STRICT_TRANSPORT_SECURITY = `max-age=${String(HSTS_MAX_AGE_S)}`;

/** helmet's headers, with a policy for data. */
export function dataHeaders(sendsHsts: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: DATA_POLICY },
    strictTransportSecurity: sendsHsts && { maxAge: HSTS_MAX_AGE_S, includeSubDomains: false },
  });
}

/** Replaces the policy for data by that of the page. */
export function pageHeaders({ style }: Pick<Page, 'style'>): RequestHandler {
  const directives = style === undefined ? PAGE_POLICY : { ...STYLED_POLICY, styleSrc: [hashOf(style)] };
  return helmet.contentSecurityPolicy({ useDefaults: false, directives });
}

function hashOf(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}
