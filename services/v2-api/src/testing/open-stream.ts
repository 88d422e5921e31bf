// A stream of server-sent events as a client receives it.
export interface ReceivedEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface TestStream {
  readonly response: Response;
  text(): string;
  events(): readonly ReceivedEvent[];
  hasEnded(): boolean;
  leave(): void;
}

/** Resolves when the headers are there. */
export async function openEventStream(url: string, headers: Readonly<Record<string, string>>): Promise<TestStream> {
  const abort = new AbortController();
  const response = await fetch(url, { headers: { 'x-forwarded-proto': 'https', ...headers }, signal: abort.signal });
  let text = '';
  let hasEnded = false;
  const read = async (): Promise<void> => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  void read()
    .catch(() => undefined)
    .finally(() => (hasEnded = true));
  return {
    response,
    text: () => text,
    events: () => eventsIn(text),
    hasEnded: () => hasEnded,
    leave: () => abort.abort(),
  };
}

function eventsIn(text: string): ReceivedEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      );
      const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
      if (data === undefined) return [];
      const named = { ...(id === undefined ? {} : { id }), ...(event === undefined ? {} : { event }) };
      return [{ ...named, data: JSON.parse(data) as ReceivedEvent['data'] }];
    });
}
