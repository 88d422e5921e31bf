// The drawer of a command: its form, then what was sent, what the charger answered, and what that means.
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { Button } from '../../../parts/button';
import { Dialog, DialogActions } from '../../../parts/dialog';
import { textOf } from '../../../parts/form';
import { texts } from '../../../texts';
import { commandsTexts } from '../../../texts/commands';
import type { Charger } from '../use-charger';
import { CommandFields } from './command-fields';
import './commands.css';
import { CommandResult, NotConnected, Waiting } from './command-result';
import { bodyOf, COMMANDS, type CommandRequest } from './definitions';
import { sendCommand } from './send-command';
import { useConnectionNeed } from './use-connection-need';

interface DrawerProps {
  readonly charger: Charger;
  /** Undefined: closed. */
  readonly request: CommandRequest | undefined;
  readonly onClose: () => void;
}

export function CommandDrawer({ charger, request, onClose }: DrawerProps) {
  const title = request === undefined ? '' : COMMANDS[request.key].title;
  return (
    <Dialog kind="drawer" open={request !== undefined} onClose={onClose} title={title}>
      {request !== undefined && <Command key={keyOf(request)} charger={charger} request={request} onClose={onClose} />}
    </Dialog>
  );
}

interface CommandProps {
  readonly charger: Charger;
  readonly request: CommandRequest;
  readonly onClose: () => void;
}

function Command({ charger, request, onClose }: CommandProps) {
  const definition = COMMANDS[request.key];
  const { isConnected, reason, state } = useConnectionNeed(charger);
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({});
  const command = useMutation({
    async mutationFn(body: Readonly<Record<string, unknown>>) {
      const startedAt = performance.now();
      const answer = await sendCommand(charger.chargerId, definition, body).catch((error: unknown) => error);
      return { answer, tookMs: Math.round(performance.now() - startedAt) };
    },
  });

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const values = Object.fromEntries(
      definition.fields.map(({ name, kind }) => [name, kind === 'check' ? form.has(name) : textOf(form, name)]),
    );
    const made = bodyOf(definition, values, request.fixed);
    setIssues('issues' in made ? made.issues : {});
    if ('body' in made) command.mutate(made.body);
  }

  if (command.isPending) return <Waiting sent={command.variables} />;
  if (command.data !== undefined) {
    return (
      <CommandResult
        charger={charger}
        sent={command.variables}
        outcome={command.data}
        onAgain={() => command.mutate(command.variables)}
        onNew={() => command.reset()}
        onClose={onClose}
      />
    );
  }
  return (
    <form className="stack" onSubmit={submit}>
      {definition.note !== undefined && <p className="muted">{definition.note}</p>}
      {!isConnected && <NotConnected id={reason} />}
      <CommandFields definition={definition} fixed={request.fixed} issueOf={(name) => issues[name]} />
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="primary" type="submit" {...state}>
          {isConnected ? commandsTexts.send : commandsTexts.sendOffline}
        </Button>
      </DialogActions>
    </form>
  );
}

function keyOf({ key, fixed }: CommandRequest): string {
  return key + JSON.stringify(fixed);
}
