// Masks secrets in a text that is no JSON: the credentials in a URL, the signature of a presigned one, `password=…` in any form.
// Where the end of a secret is ambiguous, more is masked. Credentials without a scheme (`user:password@host`) stay: they cannot
// be distinguished from a mail address behind a label.

import type { SecretNames } from './secret-names';

export const MASK = '***';
/** A URL up to its query: a password may contain a slash, so the credentials end at the last `@`. */
const ADDRESS = /(:(?:\\{0,8}\/){2})([^\s"'?]*)/g;
/** URL parameters that grant access: presigned URLs of object stores, tokens. */
const PARAMETER =
  /([?&;#][\w.~%-]{0,40}?(?:sig|signature|token|credentials?|key|auth|pwd|pass|password|secret|code)=)[^\s&;"'<>#]+/gi;
/** The characters between a name and its value, as in a query, a header, a setting, a piece of JSON. */
const ASSIGNMENT = /[\\"'\]\s]{0,16}(?:=>|[=:])\s{0,8}/g;
const NAME_CHARACTER = /[\w.-]/;
const MAX_NAME = 64;
/** The same beside a name, as in `key=AuthorizationKey&value=…`. */
const VALUE_ASSIGNED = /\b(?:attribute)?val(?:ue)?[\\"'\]\s]{0,16}(?:=>|[=:])\s{0,8}/gi;
const NAME_AS_VALUE = /[=:][\\"'\s]{0,16}([\w.-]{1,64}(?:\skey)?)/gi;
const NAME = /[\w.-]{1,64}(?:\skey)?/gi;
const MARKUP = /<[a-z!?/]/i;
/** An unquoted value may be of several words; it ends where the next setting begins. */
const UNQUOTED = /[^&;,\r\n]*?(?=\s{1,8}[\w.-]{1,40}\s{0,8}[=:]|[&;,\r\n]|$)/y;
const OPENING = /(\\{0,64})(["'])|[[{]/y;
/** Its absence: a name without an assignment, as in `APN_Pwd x`, `APN_Pwd;x`. */
const ASSIGNED = /[\\"'\]\s]{0,16}[=:]/y;
const VALUE_FOLLOWS = /[\\"'\]\s&;,]{0,16}(?:attribute)?val(?:ue)?[\\"'\]\s]{0,16}[=:]/iy;
const SEPARATORS = /[\s;,|]{0,16}/y;
/** The end of Base64, which contains the name before it by chance. */
const PADDING = /^=?\s*$/;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY/;
/** Only certificates, requests, revocation lists and public keys, also truncated: they are public, and useless once altered. */
const PUBLIC_PEM =
  /^\s*(?:-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}(?:CERTIFICATE|REQUEST|CRL|KEY|PKCS7|CMS)-----[\w+/\s\\]*(?:={1,2}[\s\\rn]*)?(?:-----END [A-Z0-9 ]{1,80}-----[\s\\rn]*)?)+$/;

/**
 * The text with every secret replaced by `***`; the same text where there is none. Its time is linear. `ofVendor`: within a
 * DataTransfer, where everything behind a secret's name is masked.
 */
export function maskPlainText(text: string, names: SecretNames, { ofVendor }: { readonly ofVendor: boolean }): string {
  if (PRIVATE_KEY.test(text)) return MASK;
  if (PUBLIC_PEM.test(text)) return text;
  const shown = text.replace(ADDRESS, withoutLogin).replace(PARAMETER, `$1${MASK}`);
  if (!holdsName(shown, names)) return shown;
  // In markup the name may be an element, an attribute or a text, before or behind its value: everything is masked.
  if (MARKUP.test(shown)) return MASK;
  const masked = maskAssigned(shown, ASSIGNMENT, (start) => names.isSecret(nameBefore(shown, start)));
  const unnamed = isNamedAsValue(masked, names) ? maskAssigned(masked, VALUE_ASSIGNED, () => true) : masked;
  return ofVendor ? withoutRest(unnamed, names) : unnamed;
}

/** Masks everything behind the first secret's name without an assignment. */
function withoutRest(text: string, names: SecretNames): string {
  for (const match of text.matchAll(NAME)) {
    const end = match.index + match[0].length;
    if (!names.isSecret(match[0]) || matchAt(ASSIGNED, text, end) !== null) continue;
    if (matchAt(VALUE_FOLLOWS, text, end) !== null) continue;
    const start = end + (matchAt(SEPARATORS, text, end)?.[0].length ?? 0);
    return start === text.length ? text : text.slice(0, start) + MASK;
  }
  return text;
}

function holdsName(text: string, names: SecretNames): boolean {
  if (names.hasOwnWord(text)) return true;
  for (const [name] of text.matchAll(NAME)) if (names.isSecret(name)) return true;
  return false;
}

function isNamedAsValue(text: string, names: SecretNames): boolean {
  for (const [, name] of text.matchAll(NAME_AS_VALUE)) if (names.isSecret(name)) return true;
  return false;
}

/** The name before an assignment: `password`; for a `key` also the word before it, as in `private key`. */
function nameBefore(text: string, end: number): string {
  const start = wordStart(text, end);
  const isKey = end - start === 3 && text.slice(start, end).toLowerCase() === 'key';
  return text.slice(isKey ? wordStart(text, start - 1) : start, end);
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (end - start < MAX_NAME && NAME_CHARACTER.test(text[start - 1] ?? ' ')) start -= 1;
  return start;
}

function withoutLogin(address: string, scheme: string, rest: string): string {
  const end = rest.lastIndexOf('@');
  return end === -1 ? address : scheme + MASK + rest.slice(end);
}

function maskAssigned(text: string, assignment: RegExp, isSecretAt: (start: number) => boolean): string {
  let masked = '';
  let done = 0;
  for (const match of text.matchAll(assignment)) {
    const start = match.index + match[0].length;
    // Within a value that is masked already.
    if (match.index < done || !isSecretAt(match.index)) continue;
    const end = endOfValue(text, start);
    if (PADDING.test(text.slice(start, end))) continue;
    masked += text.slice(done, start) + MASK;
    done = end;
  }
  return masked + text.slice(done);
}

function endOfValue(text: string, start: number): number {
  const opening = matchAt(OPENING, text, start);
  if (opening === null) return start + (matchAt(UNQUOTED, text, start)?.[0].length ?? 0);
  const [whole, escape = '', quote] = opening;
  // A list or an object whose rest is not readable.
  if (quote === undefined) return text.length;
  return endOfQuoted(text, start + whole.length, { escape, quote });
}

/** A quote closes with the same escaping as the opening one: `\"a \\\"b\\\" c\"` is one value. */
function endOfQuoted(text: string, start: number, { escape, quote }: { escape: string; quote: string }): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + 1)) {
    let first = at;
    while (first > start && text[first - 1] === '\\') first -= 1;
    if (at - first === escape.length) return at + 1;
  }
  return text.length;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = index;
  return sticky.exec(text);
}
