import { createCounts, statusLine, summaryLine } from './counts';
import { createDisplay } from './display';

function written(isTTY: boolean, columns: number, draw: (display: ReturnType<typeof createDisplay>) => void): string {
  let text = '';
  const write = (part: string | Uint8Array): boolean => {
    text += String(part);
    return true;
  };
  draw(createDisplay({ isTTY, columns, write }));
  return text;
}

it('redraws one line of a terminal, cut to its width, below printed lines', () => {
  const text = written(true, 31, (display) => {
    display.print('before');
    display.status('connected 1/5  charging 0  sessions 0');
    display.print('a frame');
    display.end();
  });
  const line = 'connected 1/5  charging 0  ses';
  expect(text).toBe(`before\n\r\u001b[2K${line}\r\u001b[2Ka frame\n${line}\r\u001b[2K`);
});

it('takes a terminal that does not report its width as 80 columns wide', () => {
  const text = written(true, 0, (display) => display.status('x'.repeat(100)));
  expect(text).toBe(`\r\u001b[2K${'x'.repeat(79)}`);
});

it('prints every tenth status as a line without a terminal', () => {
  const text = written(false, 0, (display) => {
    for (let i = 0; i < 11; i += 1) display.status(String(i));
    display.print('a frame');
    display.end();
  });
  expect(text).toBe('0\n10\na frame\n');
});

it('shows failures with the last reason in the status line', () => {
  const counts = { ...createCounts(5), connected: 4, charging: 2, sessions: 3, energyWh: 1234, failures: 1 };
  counts.lastFailure = 'SIM_1: 404 unknown charger: add --register';
  expect(statusLine(counts, 12.3)).toBe(
    'connected 4/5  charging 2  sessions 3  1.23 kWh  12 messages/s  failures 1 (last: SIM_1: 404 unknown charger: add --register)',
  );
  expect(summaryLine({ ...createCounts(5), connections: 1, messages: 7 })).toBe(
    'Ended: 1 connection, 0 sessions, 0.00 kWh, 7 messages, failures 0',
  );
});
