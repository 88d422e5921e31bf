// The fuzz run in its long form: each version for itself. Run by `npm run test:fuzz -- [--minutes N] [--seed N]`.
import { supportedVersions } from '@busbar/ocpp';
import { judgeFuzz, seedOfFuzz } from './expectations';
import { fuzz } from './fuzz';

const MINUTES = Number(process.env['FUZZ_MINUTES'] ?? '10');

it.each(supportedVersions())(
  `40. continues after broken frames, handshakes, sizes, floods and slow sockets of %s for ${String(MINUTES)} minutes`,
  async (version) => {
    const seed = seedOfFuzz();
    process.stdout.write(`fuzz of ${version} with --seed ${String(seed)}\n`);
    const outcome = await fuzz({ seed, forMs: MINUTES * 60_000, versions: [version] });
    process.stdout.write(`${judgeFuzz(outcome, true)}\n`);
  },
  MINUTES * 60_000 + 300_000,
);
