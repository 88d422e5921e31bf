// The cases of the certification of a central system in Core and Advanced Security (OCA Part 6 of OCPP 2.0.1), by block. Block A
// also has those of certificates for vehicles, block M
// also has the other cases that install, list or delete certificates, N those of monitors; D, H, K and O are of later editions.

const block = (name, letter, numbers) => ({
  block: name,
  ids: numbers.map((number) => `TC_${letter}_${String(number).padStart(2, '0')}`),
});

export const CASES = [
  block('A. Security', 'A', [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 19]),
  block('B. Provisioning', 'B', [1, 2, 6, 7, 9, 10, 12, 13, 20, 21, 22, 25, 26, 27, 30, 31, 42, 44]),
  block('C. Authorization', 'C', [2, 6, 7, 8, 20, 37, 38, 39, 47, 48, 49]),
  block('D. Local authorization list', 'D', [1, 2, 3, 4, 8, 9]),
  block(
    'E. Transactions',
    'E',
    [1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 26, 29, 30, 31, 33, 34, 38, 39, 53],
  ),
  block('F. Remote control', 'F', [1, 2, 3, 4, 6, 11, 12, 13, 14, 15, 18, 20, 23, 24, 27]),
  block('G. Availability', 'G', [3, 4, 5, 6, 7, 8, 11, 14, 17, 20]),
  block('H. Reservation', 'H', [1, 7, 8, 14, 15, 17, 19, 20, 22]),
  block('J. Meter values', 'J', [1, 2, 3, 4, 7, 8, 9, 10, 11]),
  block('K. Smart charging', 'K', [
    ...[
      1, 2, 3, 4, 5, 6, 8, 10, 15, 19, 29, 30, 31, 32, 33, 34, 35, 36, 37, 43, 44, 48, 50, 51, 52, 53, 55, 57, 58, 59,
    ],
    ...[60, 70],
  ]),
  block('L. Firmware', 'L', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13]),
  block('M. Certificates', 'M', [1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21]),
  block(
    'N. Diagnostics',
    'N',
    [1, 2, 3, 5, 8, 9, 16, 17, 18, 21, 24, 25, 27, 28, 29, 30, 31, 32, 34, 35, 36, 44, 47, 48, 49, 50, 60, 62, 63],
  ),
  block('O. Display messages', 'O', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 19, 25, 26, 27, 28]),
  block('P. Data transfer', 'P', [2, 3]),
];

/** The cases without a test, and why. */
export const UNTESTED = {
  TC_A_13:
    'it asks for one certificate for connections and for vehicles, which the service signs by two authorities (rules 161, 162)',
  TC_K_55: 'it expects that a schedule of the vehicle beyond its limits is rejected; the service accepts each (ADR 35)',
};
