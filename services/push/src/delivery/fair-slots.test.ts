import { createFairSlots } from './fair-slots';

/** Uses slots as webhooks do: each asks again while it has something to send. */
function open(max: number) {
  const slots = createFairSlots(max);
  const sent: string[] = [];
  const left = new Map<string, number>();
  const ask = (user: string): void => slots.request(user, () => use(user));
  const use = (user: string): boolean => {
    const count = left.get(user) ?? 0;
    if (count === 0) return false;
    left.set(user, count - 1);
    sent.push(user);
    ask(user);
    return true;
  };
  return {
    slots,
    sent,
    add(user: string, count: number): void {
      left.set(user, count);
      ask(user);
    },
  };
}

it('gives as many slots as there are', () => {
  const { slots, sent, add } = open(3);
  add('a', 10);
  expect([sent.length, slots.inUse()]).toEqual([3, 3]);
});

it('gives released slots to users in turn, however much one has to send', () => {
  const { slots, sent, add } = open(2);
  add('a', 100);
  add('b', 2);
  add('c', 2);
  for (let n = 0; n < 6; n += 1) slots.release();
  expect(sent.slice(2)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

it('takes a slot back at once that a user does not use', () => {
  const { slots, add } = open(1);
  add('a', 0);
  expect(slots.inUse()).toBe(0);
});
