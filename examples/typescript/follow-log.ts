// Prints each new row of a charger's OCPP log as JSON, until Ctrl-C. Connects again behind the last row.
//   API_KEY=… npx tsx follow-log.ts ACME_1
import { headers, origin, pause } from './client';

const [chargerId = 'ACME_1'] = process.argv.slice(2);
const url = `${origin}/v2/chargers/${encodeURIComponent(chargerId)}/ocpp-logs/stream`;
/** The service sends a comment every 15 seconds. */
const SILENCE_MS = 60_000;
const PAUSE_MS = 3_000;
const FINAL = ['key_revoked', 'charger_deleted'];
let lastId = '';

async function follow(): Promise<void> {
  const broken = new AbortController();
  let timer = setTimeout(() => broken.abort(), SILENCE_MS);
  try {
    const response = await fetch(url, { headers: { ...headers, 'last-event-id': lastId }, signal: broken.signal });
    if (response.status >= 400 && ![429, 503].includes(response.status)) {
      console.error(await response.text());
      process.exit(1);
    }
    let text = '';
    for await (const piece of (response.body ?? new Blob().stream()).pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => broken.abort(), SILENCE_MS);
      const events = (text + piece).split('\n\n');
      text = events.pop() ?? '';
      events.forEach(show);
    }
  } finally {
    clearTimeout(timer);
  }
}

function show(event: string): void {
  const fields = new Map(event.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]));
  const data = fields.get('data') ?? '{}';
  if (fields.get('event') === 'end' && FINAL.includes(JSON.parse(data).reason)) process.exit(1);
  if (!fields.has('id')) return;
  console.log(data);
  lastId = fields.get('id') ?? '';
}

for (;;) {
  await follow().catch((error: unknown) => console.error('connection lost:', error));
  await pause(PAUSE_MS);
}
