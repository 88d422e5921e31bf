type Fields = Readonly<Record<string, unknown>>;

/**
 * The logger interface (pino fits). error = someone must act; warn = it healed itself; info = life cycle and business
 * facts; debug = frames. Fixed keys: chargerId, connectionId, gatewayId, correlationId, action, errorId, err.
 */
export interface Logger {
  error(fields: Fields, message: string): void;
  warn(fields: Fields, message: string): void;
  info(fields: Fields, message: string): void;
  debug(fields: Fields, message: string): void;
  child(fields: Fields): Logger;
}
