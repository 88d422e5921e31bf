import { errorLines } from './error-lines';

it('contains the lines of level error and fatal, and no others', () => {
  const lines = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => `{"level":"${level}","msg":"m"}`);
  expect(errorLines(['plain text', ...lines, ''].join('\n'))).toEqual(lines.slice(4));
});
