// UpdateFirmware, GetDiagnostics and GetLog with their progress. Nothing is transferred: a location with "fail" in it fails.
import type { Clock } from '@busbar/core';
import type { V16Requests } from '@busbar/ocpp';
import { isBusy } from '../charger/charger-state';
import type { ChargerControl } from '../charger/control';
import type { ActionHandlers } from './action-handler';

type FirmwareStatus = V16Requests['FirmwareStatusNotification']['status'];

const STEP_MS = 2_000;
/** An installation waits for the sessions to end. */
const SESSIONS_CHECK_MS = 5_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

export const fileActions: ActionHandlers = {
  /** OCPP 1.6, 5.19. At retrieveDate: Downloading, Downloaded, Installing, a reboot, Installed. */
  UpdateFirmware(control, { location, retrieveDate }) {
    const { clock } = control;
    const waitMs = Math.max(0, Date.parse(retrieveDate) - clock.now().getTime());
    const begin = (): void => {
      const report = (status: FirmwareStatus) => () => firmware(control, status);
      const install = (): void => installWithoutSessions(control, location);
      const rest = fails(location) ? [report('DownloadFailed')] : [report('Downloaded'), install];
      steps(clock, [report('Downloading'), ...rest]);
    };
    return { answer: {}, then: () => void clock.after(Math.min(waitMs, MAX_TIMER_MS), begin) };
  },

  /** 5.9. */
  GetDiagnostics(control, { location }) {
    const { clock } = control;
    const report = (status: V16Requests['DiagnosticsStatusNotification']['status']) => () => {
      control.state.diagnostics = status;
      void control.notify('DiagnosticsStatusNotification', { status });
    };
    const end = fails(location) ? 'UploadFailed' : 'Uploaded';
    return {
      answer: { fileName: `${control.chargerId}-diagnostics.txt` },
      then: () => steps(clock, [report('Uploading'), report(end)]),
    };
  },

  /** Security whitepaper, 4.4. */
  GetLog(control, { log, logType, requestId }) {
    const { clock } = control;
    const report = (status: V16Requests['LogStatusNotification']['status']) => () =>
      void control.notify('LogStatusNotification', { status, requestId });
    const end = fails(log.remoteLocation) ? 'UploadFailure' : 'Uploaded';
    return {
      answer: { status: 'Accepted', filename: `${control.chargerId}-${logType}.txt` },
      then: () => steps(clock, [report('Uploading'), report(end)]),
    };
  },
};

/** Runs each step some time after the one before. */
function steps(clock: Clock, [first, ...rest]: readonly (() => void)[]): void {
  if (first === undefined) return;
  first();
  clock.after(STEP_MS, () => steps(clock, rest));
}

function installWithoutSessions(control: ChargerControl, location: string): void {
  if (control.state.sockets.some(isBusy)) {
    control.clock.after(SESSIONS_CHECK_MS, () => installWithoutSessions(control, location));
    return;
  }
  firmware(control, 'Installing');
  control.clock.after(STEP_MS, () => {
    control.state.firmware.version = versionOf(location, control.state.firmware.version);
    control.onceBooted(() => firmware(control, 'Installed'));
    void control.reset('Reboot');
  });
}

function firmware(control: ChargerControl, status: FirmwareStatus): void {
  control.state.firmware.status = status;
  void control.notify('FirmwareStatusNotification', { status });
}

/** The version in the file's name, else the next one. */
function versionOf(location: string, current: string): string {
  const named = /\d+\.\d+\.\d+/.exec(location.split('/').at(-1) ?? '')?.[0];
  if (named !== undefined) return named;
  const [major = '1', minor = '0', patch = '0'] = current.split('.');
  return `${major}.${minor}.${String(Number(patch) + 1)}`;
}

function fails(location: string): boolean {
  return /fail/i.test(location);
}
