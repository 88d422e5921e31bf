/** A foreign OCPP stack as `tools/interop.mjs` has installed it. */
export interface Stack {
  readonly name: string;
  /** Where `command` runs. */
  readonly folder: string;
  readonly command: readonly string[];
  /** True where it knows the messages of the security extension. */
  readonly hasSecurity: boolean;
  /** False: its schemas refuse numbers of one decimal that no float holds exactly, such as 8.1. */
  readonly readsTenths: boolean;
  /** True where it reconnects by itself where it is asked to. */
  readonly reconnects: boolean;
  /** The subprotocols of OCPP 2.x that it speaks. */
  readonly versions2: readonly string[];
  /** The program that the machine lacks for it. */
  readonly skipped?: string;
  /** The failure of its installation. */
  readonly failed?: string;
}

/** The stacks that the runner has installed, or could not. */
export function installedStacks(): readonly Stack[] {
  const given = process.env['INTEROP_STACKS'];
  if (given === undefined)
    throw new Error('These tests need foreign stacks installed: npm run test:interop does that.');
  return JSON.parse(given) as readonly Stack[];
}
