// What ocpp-ws-io imports of its logger. With `logging: false` it calls none of it.
const unused = () => {
  throw new Error('The charger of these tests logs nothing.');
};
export { unused as consoleTransport, unused as createLogger, unused as prettyTransport };
