import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Nothing but what lies beside the page, and the icons that its style sheet draws from data. */
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

/** JSON needs nothing at all. */
const DATA_POLICY = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };

/** helmet's headers, with a policy for data. */
export function dataHeaders(): RequestHandler {
  return helmet({ contentSecurityPolicy: { useDefaults: false, directives: DATA_POLICY } });
}

/** The policy of the interactive page in place of the one for data. */
export function pageHeaders(): RequestHandler {
  return helmet.contentSecurityPolicy({ useDefaults: false, directives: PAGE_POLICY });
}
