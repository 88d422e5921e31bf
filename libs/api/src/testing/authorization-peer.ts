// The other ends of real-time authorization: gateways, which hear of endpoints, and push, with an answer that a test gives.
import { channels, type AuthorizationAnswer, type AuthorizationTermsNotice } from '@busbar/contracts';
import type { Platform } from '@busbar/runtime';

export type { AuthorizationAnswer, AuthorizationTermsNotice };

type Peer = Pick<Platform, 'broker'>;

export async function recordTermsNotices({ broker }: Peer): Promise<readonly AuthorizationTermsNotice[]> {
  const notices: AuthorizationTermsNotice[] = [];
  await broker.listen(channels.authorisationTerms, (notice) => void notices.push(notice));
  return notices;
}

export async function answerAuthorizations({ broker }: Peer, answer: AuthorizationAnswer): Promise<void> {
  await broker.respond(channels.authorisations, '', () => Promise.resolve(answer));
}
