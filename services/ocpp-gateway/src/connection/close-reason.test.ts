import { endByCharger, endByError } from './close-reason';

describe('why a connection ended', () => {
  it.each([
    [1000, '', 'closed by the charger'],
    [1001, 'reboot', 'closed by the charger, which restarts or shuts down: "reboot"'],
    [1005, '', 'closed by the charger without a code'],
    [4001, 'bye\n\u0007', 'closed by the charger with code 4001: "bye"'],
  ])('is the code %i and the text %j of the charger in words', (code, text, reason) => {
    expect(endByCharger(code, text)).toEqual({ code, reason });
  });

  it('says what a loss without a close frame can mean', () => {
    expect(endByCharger(1006, '').reason).toMatch(/^lost without a close frame: power or network failure/);
  });

  it.each([
    ['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 1009, 'OCPP_MAX_FRAME_BYTES'],
    ['WS_ERR_INVALID_UTF8', 1007, 'not UTF-8'],
    ['WS_ERR_EXPECTED_MASK', 1002, 'violated the websocket protocol'],
    ['ECONNRESET', 1006, 'the network connection failed (ECONNRESET)'],
  ])('is the error %s of the socket as code %i', (error, code, part) => {
    const end = endByError(error);
    expect(end.code).toBe(code);
    expect(end.reason).toContain(part);
  });
});
