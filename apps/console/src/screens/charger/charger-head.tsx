import { Link } from '@tanstack/react-router';
import { ChevronRight, Ellipsis } from 'lucide-react';
import { useMay } from '../../api/use-session';
import { Button } from '../../parts/button';
import { Fact } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { ocppVersionOf } from '../../parts/format';
import { Menu, MenuItem, MenuLine } from '../../parts/menu';
import { StateLabel } from '../../parts/state-mark';
import { Ago, DateTime, Since } from '../../parts/time';
import { texts } from '../../texts';
import { commandsTexts } from '../../texts/commands';
import { CHARGER_COMMANDS, COMMANDS, RAW_CALL, type CommandRequest } from './commands/definitions';
import { useConnectionNeed } from './commands/use-connection-need';
import { DEVIATIONS } from './deviations';
import type { Charger } from './use-charger';

interface HeadProps {
  readonly charger: Charger;
  readonly onCommand: (request: CommandRequest) => void;
}

export function ChargerHead({ charger, onCommand }: HeadProps) {
  const mayOperate = useMay('chargers:operate');
  return (
    <>
      <header className="charger-head">
        <nav className="crumbs" aria-label={texts.charger.path}>
          <Link to="/">{texts.menu.fleet}</Link>
          <ChevronRight aria-hidden />
          <span className="cut">{charger.siteName}</span>
        </nav>
        <div className="screen-head">
          <div className="charger-title">
            <h1>{charger.name}</h1>
            <StateLabel state={charger.state} />
          </div>
          {mayOperate && <CommandMenu charger={charger} onCommand={onCommand} />}
        </div>
        <p className="charger-id">
          <code>{charger.chargerId}</code>
          <CopyButton text={charger.chargerId} label={texts.charger.copyId} />
        </p>
      </header>
      <section className="card charger-facts" aria-label={texts.charger.facts}>
        <Facts charger={charger} />
        <Deviations charger={charger} />
      </section>
    </>
  );
}

function CommandMenu({ charger, onCommand }: HeadProps) {
  const { isConnected, reason, state } = useConnectionNeed(charger);
  return (
    <div className="screen-actions">
      {!isConnected && (
        <p className="no-commands" id={reason}>
          {commandsTexts.needConnection}
        </p>
      )}
      <Button {...state} onClick={() => onCommand({ key: 'reset', fixed: {} })}>
        {COMMANDS.reset.title}
      </Button>
      <Menu
        trigger={
          <Button icon={<Ellipsis />} {...state}>
            {texts.charger.commands}
          </Button>
        }
      >
        {CHARGER_COMMANDS.map((key) => (
          <MenuItem key={key} onSelect={() => onCommand({ key, fixed: {} })}>
            {COMMANDS[key].title}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => onCommand({ key: RAW_CALL, fixed: {} })}>{COMMANDS[RAW_CALL].title}</MenuItem>
      </Menu>
    </div>
  );
}

function Facts({ charger }: { readonly charger: Charger }) {
  const maySeeSites = useMay('sites:read');
  const { none } = texts.common;
  return (
    <dl className="facts">
      <Fact label={texts.charger.connection}>
        <Connection charger={charger} />
      </Fact>
      <Fact label={texts.charger.lastSeen}>
        {charger.lastSeen === null ? texts.charger.never : <Ago at={charger.lastSeen} />}
      </Fact>
      <Fact label={texts.charger.version}>{ocppVersionOf(charger.ocppVersion) || none}</Fact>
      <Fact label={texts.charger.site}>
        {maySeeSites ? (
          <Link to="/sites/$siteId" params={{ siteId: String(charger.siteId) }}>
            {charger.siteName}
          </Link>
        ) : (
          charger.siteName
        )}
      </Fact>
      <Fact label={texts.charger.manufacturer}>{charger.manufacturer || none}</Fact>
      <Fact label={texts.charger.model}>{charger.model || none}</Fact>
      <Fact label={texts.charger.serial}>{charger.serial || none}</Fact>
      <Fact label={texts.charger.firmware}>{charger.firmware || none}</Fact>
    </dl>
  );
}

function Connection({ charger: { activeConnection, connectedSince, ocppVersion } }: { readonly charger: Charger }) {
  if (activeConnection && connectedSince !== null) {
    return (
      <>
        {texts.charger.connectedFor} <Since at={connectedSince} />
      </>
    );
  }
  // Of its last connection: it may have sent nothing.
  return ocppVersion === null ? texts.fleet.neverConnected : texts.charger.notConnected;
}

function Deviations({ charger: { deviations } }: { readonly charger: Charger }) {
  if (deviations.length === 0) return null;
  return (
    <details className="deviations">
      <summary>{texts.charger.deviations(deviations.length)}</summary>
      <ul>
        {deviations.map(({ kind, count, lastAt }) => (
          <li key={kind}>
            <code>{kind}</code>
            <span>{DEVIATIONS[kind] ?? texts.charger.unknownDeviation}</span>
            <span className="muted nowrap">
              {texts.charger.deviationCount(count)} <DateTime at={lastAt} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
