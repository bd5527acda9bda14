import type { SnapshotFile } from '../client/index.js';
import { meant } from '../input/nearest.js';
import { SetupError } from '../input/setup-error.js';
import type { CommonOptions } from './options.js';
import { profileOf } from './profile.js';
import type { Service, ServiceOptions } from './service.js';

export const silent = (): void => {};

/** What a service is made from: all but where fixtures are read from. @throws SetupError */
export function settingsOf(
  options: CommonOptions,
  own: Readonly<Record<string, true>>,
): Omit<ServiceOptions, 'fixtures'> {
  checkNames(options, { ...common, ...own });
  checkControlToken(options.controlToken);
  checkJournal(options.journal);
  const { autoApprove = false, log = silent } = options;
  const profile = profileOf(options.profile ?? 'described');
  const saved: Partial<SnapshotFile['settings']> = options.snapshot?.settings ?? {};
  return {
    seed: options.seed ?? saved.seed ?? 1,
    epoch: readEpoch(options.epoch ?? saved.epoch ?? null),
    edition: options.edition ?? saved.edition ?? profile.edition,
    flags: { ...saved.flags, ...options.flags },
    switches: {
      ...profile.switches,
      ...saved.switches,
      ...options.switches,
      ...(autoApprove !== false && { 'consent.mode': 'auto' }),
    },
    volume: { stashChanges: options.volume?.stashChanges ?? 600, exchangeHours: options.volume?.exchangeHours ?? 72 },
    autoApprove: typeof autoApprove === 'string' ? autoApprove : null,
    faults: options.faults ?? [],
    limits: options.limits ?? profile.limits,
    realTime: Date.now,
    log,
  };
}

/** Begins with the snapshot and the journal that the options ask for. @throws SetupError for a snapshot that does not fit */
export async function beginWith(
  service: Service,
  { snapshot, controlToken, journal = false }: CommonOptions,
): Promise<void> {
  if (snapshot) service.snapshots.begin(snapshot);
  if (controlToken !== undefined) service.secrets.keep(controlToken);
  if (journal !== false) await service.journal.start(journal === true ? {} : journal);
}

/** A token that a header cannot carry would lock out everybody; an empty one might let everybody in. */
function checkControlToken(token: string | undefined): void {
  if (token === undefined || /^[\x21-\x7e]{1,512}$/.test(token)) return;
  const what =
    token === ''
      ? 'it is empty'
      : token.length > 512
        ? 'it has more than 512 characters'
        : 'it has characters that a header cannot carry';
  throw new SetupError(`the control token: ${what}; give printable ASCII without spaces, or leave the option out`);
}

/** @throws SetupError for bounds that are no whole numbers above 0 */
function checkJournal(bounds: CommonOptions['journal'] = false): void {
  for (const [name, value] of Object.entries(bounds) as [string, unknown][]) {
    if (!Number.isSafeInteger(value) || Number(value) < 1)
      throw new SetupError(`journal: ${name} is ${String(value)}; give a whole number above 0`);
  }
}

function readEpoch(epoch: string | number | Date | null): number | null {
  if (epoch === null) return null;
  const instant = new Date(epoch).getTime();
  if (Number.isNaN(instant))
    throw new SetupError(`epoch ${String(epoch)}: not a date-time; write it like 2026-01-01T00:00:00Z`);
  // The world has leagues years before and after it, and dates of four digits.
  if (instant < 0 || instant >= Date.UTC(9000, 0))
    throw new SetupError(`epoch ${String(epoch)}: is not between 1970 and 9000; write it like 2026-01-01T00:00:00Z`);
  return instant;
}

const common = {
  seed: true,
  epoch: true,
  profile: true,
  edition: true,
  flags: true,
  switches: true,
  snapshot: true,
  autoApprove: true,
  cors: true,
  controlToken: true,
  volume: true,
  faults: true,
  limits: true,
  journal: true,
  log: true,
} satisfies Record<keyof CommonOptions, true>;

/** A program without types is told of a mistyped option, as the command line tells of a flag. @throws SetupError */
function checkNames(options: object, known: Readonly<Record<string, true>>): void {
  const names = Object.keys(known);
  const strange = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (strange !== undefined)
    throw new SetupError(
      `option ${strange}: no such option${meant(strange, names)}; the options are ${names.join(', ')}`,
    );
}
