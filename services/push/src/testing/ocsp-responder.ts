// An OCSP responder on the loopback, and the names of certificates in questions to it.
import { createHash, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  BasicOCSPResponse,
  CertStatus,
  id_pkix_ocsp_basic,
  KeyHash,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  ResponderID,
  ResponseBytes,
  ResponseData,
  RevokedInfo,
  SingleResponse,
} from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509';
import { parseCertificate } from '../certificates/certificate';

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const HOUR_MS = 3_600_000;

export interface Signer {
  readonly key: string;
  /** PEM, enclosed in the response. */
  readonly enclosed?: readonly string[];
}

export interface OcspAnswer extends Signer {
  readonly status?: 'good' | 'revoked' | 'unknown';
  readonly thisUpdate?: Date;
  readonly nextUpdate?: Date | null;
  /** Changes the response after it is signed. */
  readonly tamper?: (basic: BasicOCSPResponse) => void;
  readonly responseStatus?: OCSPResponseStatus;
  /** Names this serial number in place of that of the request. */
  readonly serialNumber?: Buffer;
}

/** What the responder does with a request: an answer that it signs, or anything else. */
export type Respond = (request: OCSPRequest) => OcspAnswer | ((response: ServerResponse) => void);

export async function openOcspResponder() {
  let respond: Respond = () => (response) => void response.destroy();
  const requests: OCSPRequest[] = [];
  const server = createServer((incoming, response) => {
    void buffer(incoming).then((body) => {
      const request = AsnConvert.parse(body, OCSPRequest);
      requests.push(request);
      const answer = respond(request);
      if (typeof answer === 'function') answer(response);
      else
        response.writeHead(200, { 'content-type': 'application/ocsp-response' }).end(signedResponse(request, answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/ocsp`,
    requests,
    respond(next: Respond): void {
      respond = next;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A response to the request, DER. */
export function signedResponse(request: OCSPRequest, answer: OcspAnswer): Buffer {
  const { status = 'good', thisUpdate = new Date(Date.now() - HOUR_MS), serialNumber } = answer;
  const nextUpdate = answer.nextUpdate === undefined ? new Date(Date.now() + HOUR_MS) : answer.nextUpdate;
  const responses = request.tbsRequest.requestList.map(({ reqCert: certID }) => {
    if (serialNumber !== undefined) certID.serialNumber = new Uint8Array(serialNumber).buffer;
    return new SingleResponse({
      certID,
      certStatus: statusOf(status),
      thisUpdate,
      ...(nextUpdate === null ? {} : { nextUpdate }),
    });
  });
  const tbsResponseData = new ResponseData({
    responderID: new ResponderID({ byKey: new KeyHash(Buffer.alloc(20)) }),
    producedAt: thisUpdate,
    responses,
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsResponseData)), answer.key);
  const basic = new BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 }),
    signature: new Uint8Array(signature).buffer,
    certs: (answer.enclosed ?? []).map((pem) => AsnConvert.parse(parseCertificate(pem).node.raw, Certificate)),
  });
  answer.tamper?.(basic);
  const response = new OctetString(AsnConvert.serialize(basic));
  return Buffer.from(
    AsnConvert.serialize(
      new OCSPResponse({
        responseStatus: answer.responseStatus ?? OCSPResponseStatus.successful,
        responseBytes: new ResponseBytes({ responseType: id_pkix_ocsp_basic, response }),
      }),
    ),
  );
}

/** The name of a certificate of this issuer (PEM) in a question. */
export function hashDataOf(
  issuer: string,
  serialNumber: string,
  hashAlgorithm: 'SHA256' | 'SHA384' | 'SHA512' = 'SHA256',
) {
  const { subject, publicKeyBits } = parseCertificate(issuer);
  const hash = (bytes: Buffer): string => createHash(hashAlgorithm.toLowerCase()).update(bytes).digest('hex');
  return { hashAlgorithm, issuerNameHash: hash(subject), issuerKeyHash: hash(publicKeyBits), serialNumber };
}

function statusOf(status: 'good' | 'revoked' | 'unknown'): CertStatus {
  if (status === 'revoked') return new CertStatus({ revoked: new RevokedInfo({ revocationTime: new Date() }) });
  return new CertStatus({ [status]: null });
}
