import { table } from './table';

const columns = [
  { header: 'ID', value: ({ id }: { id: string; name: string }) => id },
  { header: 'NAME', value: ({ name }: { name: string }) => name },
];

it('aligns columns below their headers', () => {
  const rows = [
    { id: 'ACME_1', name: 'Gate' },
    { id: 'B', name: 'Yard' },
  ];
  expect(table(columns, rows)).toEqual(['ID      NAME', 'ACME_1  Gate', 'B       Yard']);
});

it('says that there are none', () => {
  expect(table(columns, [])).toEqual(['none']);
});

it('shows control characters instead of obeying them', () => {
  expect(table(columns, [{ id: 'A', name: '\u001b[2J' }])[1]).toBe('A   \\u001b[2J');
});
