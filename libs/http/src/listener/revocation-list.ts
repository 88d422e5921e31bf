// Reads a certificate revocation list in DER (RFC 5280 clause 5.1) without building a tree. Lists may have tens of thousands of
// entries, which libraries reject or which block the event loop.

export interface RevocationList {
  /** The authority's name, DER. */
  readonly issuer: Buffer;
  /** Hexadecimal. */
  readonly serialNumbers: readonly string[];
}

const INTEGER = 0x02;
const SEQUENCE = 0x30;
const TIMES: readonly number[] = [0x17, 0x18];

interface Element {
  readonly tag: number;
  readonly begin: number;
  readonly content: number;
  readonly end: number;
}

/** Throws when the bytes are not a revocation list. */
export function readRevocationList(pem: string): RevocationList {
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
  const list = expectTag(elementAt(der, 0), SEQUENCE);
  const signed = expectTag(elementAt(der, list.content), SEQUENCE);
  const fields = childrenOf(der, signed);
  // The version is absent in lists of version 1.
  const [algorithm, issuer, , ...rest] = fields[0]?.tag === INTEGER ? fields.slice(1) : fields;
  if (algorithm === undefined || issuer === undefined) throw new Error('not a revocation list');
  const entries = rest.find(({ tag }) => !TIMES.includes(tag));
  return {
    issuer: der.subarray(expectTag(issuer, SEQUENCE).begin, issuer.end),
    serialNumbers: entries?.tag === SEQUENCE ? childrenOf(der, entries).map((entry) => serialOf(der, entry)) : [],
  };
}

function serialOf(der: Buffer, entry: Element): string {
  const serial = expectTag(elementAt(der, expectTag(entry, SEQUENCE).content), INTEGER);
  return der.toString('hex', serial.content, serial.end);
}

function childrenOf(der: Buffer, { content, end }: Element): Element[] {
  const children: Element[] = [];
  for (let at = content; at < end;) {
    const child = elementAt(der, at);
    if (child.end > end) throw new RangeError('an element exceeds its parent');
    children.push(child);
    at = child.end;
  }
  return children;
}

function expectTag(element: Element, tag: number): Element {
  if (element.tag !== tag) throw new Error('not a revocation list');
  return element;
}

/** X.690 clause 8.1.3. Throws when it exceeds the bytes. */
function elementAt(der: Buffer, begin: number): Element {
  const tag = der.readUInt8(begin);
  const first = der.readUInt8(begin + 1);
  const digits = first < 0x80 ? 0 : first & 0x7f;
  const content = begin + 2 + digits;
  const end = content + (digits === 0 ? first : der.readUIntBE(begin + 2, digits));
  if (end > der.length) throw new RangeError('an element exceeds the list');
  return { tag, begin, content, end };
}
