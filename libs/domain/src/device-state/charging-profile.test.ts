import type { OngoingTransaction } from '../sessions/ongoing-transaction';
import { profilesInForce, type InstalledProfile } from './charging-profile';

const AT = '2026-02-01T00:00:00.000Z';

const installed = (part: Partial<InstalledProfile> = {}): InstalledProfile => ({
  profileId: 1,
  socketId: 1,
  purpose: 'TxProfile',
  stackLevel: 0,
  transactionId: null,
  forStart: false,
  commandId: 'command-1',
  setAt: AT,
  position: [1, 1],
  profile: {},
  ...part,
});
const ongoing = (part: Partial<OngoingTransaction> = {}): OngoingTransaction => ({
  socketId: 2,
  transactionId: 7,
  sessionId: 'session-7',
  idTag: 'Tag',
  startTime: AT,
  position: [1, 2],
  ...part,
});
const OF_START = { forStart: true, socketId: null };

it.each<[string, Partial<InstalledProfile>, Partial<OngoingTransaction>, Partial<InstalledProfile>]>([
  ['for any transaction', { purpose: 'TxDefaultProfile' }, {}, { socketId: 1, transactionId: null }],
  ['for an ongoing transaction', { transactionId: 7 }, {}, { socketId: 2, transactionId: 7 }],
  ['of the remote start that began one', OF_START, { commandId: 'command-1' }, { socketId: 2, transactionId: 7 }],
])('has a charging profile %s in force', (_title, part, transaction, expected) => {
  const profile = installed(part);
  const profiles = { installed: [profile], clearings: [] };
  const others = [ongoing({ transactionId: 6, sessionId: 'session-6' }), ongoing(transaction)];
  expect(profilesInForce(profiles, others)).toEqual([{ ...profile, ...expected }]);
});

it.each<[string, Partial<InstalledProfile>, OngoingTransaction[]]>([
  ['for a transaction that has ended', { transactionId: 7 }, [ongoing({ transactionId: 8 })]],
  ['for no transaction', {}, [ongoing()]],
  ['of a remote start that has not begun one', OF_START, [ongoing()]],
  ['of a remote start, where another one began the transaction', OF_START, [ongoing({ commandId: 'command-2' })]],
  ['of a remote start without a command of ours', { ...OF_START, commandId: null }, [ongoing()]],
])('has no charging profile %s in force', (_title, part, transactions) => {
  expect(profilesInForce({ installed: [installed(part)], clearings: [] }, transactions)).toEqual([]);
});
