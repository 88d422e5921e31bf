import { endByCharger, endByError } from './close-reason';

describe('why a connection ended', () => {
  it.each([
    [1000, '', 'closed by the charger'],
    [1001, 'reboot', 'closed by the charger, which restarts or shuts down: "reboot"'],
    [1005, '', 'closed by the charger without a code'],
    [4001, 'bye\n\u0007', 'closed by the charger with code 4001: "bye"'],
  ])('is the code %i and the text %j of the charger in words', (code, text, reason) => {
    expect(endByCharger(code, text)).toEqual({ code, reason, cause: 'charger' });
  });

  it('says what a loss without a close frame can mean', () => {
    const end = endByCharger(1006, '');
    expect(end.reason).toMatch(/^lost without a close frame: power or network failure/);
    expect(end.cause).toBe('lost');
  });

  it.each([
    ['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 1009, 'protocol_error', 'OCPP_MAX_FRAME_BYTES'],
    ['WS_ERR_INVALID_UTF8', 1007, 'protocol_error', 'not UTF-8'],
    ['WS_ERR_EXPECTED_MASK', 1002, 'protocol_error', 'violated the websocket protocol'],
    ['ECONNRESET', 1006, 'lost', 'the network connection failed (ECONNRESET)'],
  ])('is the error %s of the socket as code %i', (error, code, cause, part) => {
    const end = endByError(error);
    expect(end).toMatchObject({ code, cause });
    expect(end.reason).toContain(part);
  });
});
