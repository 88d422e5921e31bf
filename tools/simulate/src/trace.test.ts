import { createTrace, TRACE_ALL } from './trace';

const NOW = new Date('2026-01-01T10:11:12.345Z');

function traced(wanted: string | undefined): string[] {
  const lines: string[] = [];
  const trace = createTrace(
    wanted,
    (line) => lines.push(line),
    () => NOW,
  );
  trace('SIM_1', 'charger', '[2,"m-1","Heartbeat",{}]');
  trace('SIM_2', 'service', '[2,"a","ChangeConfiguration",{"key":"AuthorizationKey","value":"0011223344"}]');
  return lines;
}

const FIRST = '10:11:12.345  SIM_1  →  [2,"m-1","Heartbeat",{}]';
const SECOND = '10:11:12.345  SIM_2  ←  [2,"a","ChangeConfiguration",{"key":"AuthorizationKey","value":"***"}]';

it.each([
  [TRACE_ALL, [FIRST, SECOND]],
  ['SIM_2', [SECOND]],
  [undefined, []],
])('prints the frames of %s with secrets masked', (wanted, lines) => {
  expect(traced(wanted)).toEqual(lines);
});
