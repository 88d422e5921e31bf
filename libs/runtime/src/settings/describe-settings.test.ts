import { flag, integer, required, url } from './combinators';
import { describeSettings } from './describe-settings';

it('lists each variable once, with its default in every process that reads it', () => {
  const broker = url('B_URL', 'The broker.', { default: 'memory:', schemes: ['memory:', 'amqp://'] });
  const text = describeSettings([
    { process: 'one', settings: { broker, strict: flag('STRICT', 'Strict.', { default: false }) } },
    {
      process: 'two',
      settings: { broker: required(broker), n: integer('N', 'A number.', { default: 1, min: 0, max: 9 }) },
    },
  ]);
  expect(text.split('\n').slice(3).join('\n')).toBe(`# The broker.
# May be: a URL that begins with memory: or amqp://. Read by: every process.
# Default: memory: (one); required (two).
#B_URL=memory:

# A number.
# May be: a whole number from 0 to 9. Read by: two.
#N=1

# Strict.
# May be: true or false. Read by: one.
#STRICT=false
`);
});
