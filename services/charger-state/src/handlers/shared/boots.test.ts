import type { Position } from '@busbar/contracts';
import { chargerWith, RECEIVED_AT, secondsBefore } from '../../testing/handler-situation';
import { hasBootedSince, isSetBackSince } from './boots';

const DAY_S = 86_400;
const booted = (secondsAgo: number, position: Position = [1, 3]) => {
  const none = { serial: '', firmware: '', iccid: '', imsi: '', meterType: '', meterSerialNumber: '' };
  const boot = { manufacturer: 'V', model: 'M', ...none, at: secondsBefore(secondsAgo), position };
  return chargerWith({ boot });
};
/** A start `startAgo` before the receipt, and a status whose time is `backS` before that of the start. */
const isSetBack = (charger: ReturnType<typeof booted>, startAgo: number, backS: number, position: Position = [1, 4]) =>
  isSetBackSince(charger, secondsBefore(startAgo), { ownAt: secondsBefore(startAgo + backS), position }, RECEIVED_AT);

it.each([
  ['has not booted since', chargerWith({}), false],
  ['has booted before', booted(60, [1, 3]), false],
  ['has booted since', booted(60, [1, 5]), true],
  ['has booted since, by a newer connection', booted(60, [2, 1]), true],
])('knows that a charger %s the message', (_title, charger, expected) => {
  expect(hasBootedSince(charger, [1, 4])).toBe(expected);
});

it.each<[string, boolean, boolean]>([
  ['the last boot set the clock back by more than 30 days', isSetBack(booted(60), 600, 30 * DAY_S + 1), true],
  ['the status may have waited for 30 days', isSetBack(booted(60), 600, 30 * DAY_S), false],
  ['the start was after the boot', isSetBack(booted(600), 600, 365 * DAY_S), false],
  ['the status was before the boot', isSetBack(booted(60, [1, 5]), 600, 365 * DAY_S), false],
  ['the charger has not booted', isSetBack(chargerWith({}), 600, 365 * DAY_S), false],
  ['the clock may be slow since a boot 60 days ago', isSetBack(booted(60 * DAY_S), 61 * DAY_S, 60 * DAY_S), false],
  ['it was set back by more than that', isSetBack(booted(60 * DAY_S), 61 * DAY_S, 60 * DAY_S + 1), true],
])('recognizes a clock that a boot has set back: %s', (_title, isBack, expected) => {
  expect(isBack).toBe(expected);
});
