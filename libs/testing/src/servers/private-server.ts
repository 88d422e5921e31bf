/** A real server that a test has for itself: found by URL, in a container, or as a program on this machine. */
export interface PrivateServer {
  readonly url: string;
  /** Process id where the server is a program that the test started; only then can it be killed and paused. */
  readonly pid: () => number | undefined;
  /** SIGKILL, and resolves when the process is gone. Its data stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same data; resolves when it answers. */
  restart(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its data. Idempotent. */
  stop(): Promise<void>;
}

/** Where the finder would get a server from; `reported` is one line that names it, or why there is none. */
export interface ServerFinding {
  readonly source: 'url' | 'container' | 'program' | 'none';
  readonly reported: string;
}
