// The fuzz run in its long form. Run by `npm run test:fuzz -- [--minutes N] [--seed N]`.
import { judgeFuzz, seedOfFuzz } from './expectations';
import { fuzz } from './fuzz';

const MINUTES = Number(process.env['FUZZ_MINUTES'] ?? '10');

it(
  `40. continues after broken frames, handshakes, sizes, floods and slow sockets for ${String(MINUTES)} minutes`,
  async () => {
    const seed = seedOfFuzz();
    process.stdout.write(`fuzz with --seed ${String(seed)}\n`);
    process.stdout.write(`${judgeFuzz(await fuzz({ seed, forMs: MINUTES * 60_000 }), true)}\n`);
  },
  MINUTES * 60_000 + 300_000,
);
