const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether an address is one of this machine, where a self-signed certificate is as good as any. */
export function isThisMachine(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}
