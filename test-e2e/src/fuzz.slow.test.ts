// The fuzz run in its short form. As long as wanted: npm run test:fuzz.
import { judgeFuzz, seedOfFuzz } from './fuzz/expectations';
import { fuzz } from './fuzz/fuzz';

const FOR_MS = 15_000;

it('40. continues after broken frames, handshakes, sizes, floods and slow sockets', async () => {
  const seed = seedOfFuzz();
  process.stdout.write(`fuzz with FUZZ_SEED=${String(seed)}\n`);
  process.stdout.write(`${judgeFuzz(await fuzz({ seed, forMs: FOR_MS }), false)}\n`);
}, 180_000);
