// Whether the chain of a contract certificate can be trusted, and which statuses must be asked for it. Pure.
import type { CertificateStatusRequest } from '@busbar/contracts';
import { isSignedBy, isValidAt, leadsToAnchor, parseCertificates, type Certificate, type Trust } from './certificate';
import { certificateIdOf, keyOf, statusRequestOf } from './certificate-id';

export type ChainFault = 'chain_error' | 'expired' | 'signature_error' | 'unavailable';

/** A contract, the authorities above it, and a root. */
const MAX_CHAIN = 5;

/** The certificates of a chain in PEM, the contract first. Undefined for what is no chain. */
export function readChain(pem: string): readonly Certificate[] | undefined {
  try {
    const chain = parseCertificates(pem);
    return chain.length === 0 || chain.length > MAX_CHAIN ? undefined : chain;
  } catch {
    return undefined;
  }
}

/**
 * Why the contract cannot be trusted. `unavailable`: none of the anchors is above it; `chain_error`: one is, with more authorities between than
 * one of them permits. Undefined: it can be, but for revocations.
 */
export function chainFaultOf(chain: readonly Certificate[], trust: Trust): ChainFault | undefined {
  const [contract, ...others] = chain;
  if (contract === undefined) return 'chain_error';
  if (!chain.every((each) => isValidAt(each, trust.now))) return 'expired';
  if (leadsToAnchor(contract, others, trust)) return undefined;
  const unlimited = { ...trust, anchors: trust.anchors.map(withoutLimit) };
  if (leadsToAnchor(contract, others.map(withoutLimit), unlimited)) return 'chain_error';
  const above = [...others, ...trust.anchors];
  const isForged = chain.some(({ node }) => {
    const namesakes = above.filter((issuer) => issuer.node.subject === node.issuer);
    return namesakes.length > 0 && !namesakes.some((issuer) => node.verify(issuer.publicKey));
  });
  return isForged ? 'signature_error' : 'unavailable';
}

function withoutLimit(certificate: Certificate): Certificate {
  return { ...certificate, pathLength: undefined };
}

/**
 * The statuses that must be asked: those of the question, and of each certificate of the chain that it does not name. Anchors are trusted
 * as they are, and nobody but itself says anything of a root.
 */
export function statusRequestsFor(
  asked: readonly CertificateStatusRequest[],
  chain: readonly Certificate[],
  anchors: readonly Certificate[],
): readonly CertificateStatusRequest[] {
  const named = new Set(asked.map(keyOfRequest));
  const unnamed = chain
    .filter((each) => !anchors.some((anchor) => anchor.node.raw.equals(each.node.raw)) && !isSignedBy(each, each))
    .flatMap((certificate) => {
      const issuer = [...chain, ...anchors].find((above) => isSignedBy(certificate, above));
      return issuer === undefined ? [] : [statusRequestOf(certificate, issuer)];
    });
  return [...asked, ...unnamed.filter((request) => !named.has(keyOfRequest(request)))];
}

/** Chargers name certificates by any of three algorithms; another one than ours only costs a second request. */
function keyOfRequest(request: CertificateStatusRequest): string | undefined {
  const id = certificateIdOf(request);
  return id && keyOf(id);
}
