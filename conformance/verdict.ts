import type { Core } from './histories/history.js';
import type { Answer } from './wire/answer.js';

/** The seven verdicts on a row. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'not applicable' | 'could not run' | 'not exercised' | 'suite error';

/** The server does not do what the row says. */
export class Deviation extends Error {
  override readonly name = 'Deviation';
  constructor(
    readonly expected: string,
    readonly got: string,
    readonly answer?: Answer,
    /** What several callers saw, where no order of their calls explains it. */
    readonly history?: Core,
    /** It rests on what the server gave, and not on what it failed to give: no load that the suite makes excuses it. */
    readonly underAnyLoad = history !== undefined,
  ) {
    super(`expected ${expected}; got ${got}`);
  }

  /** The same in one case of a check, which it names first. */
  within(name: string, shown?: Answer): Deviation {
    const { expected, got, answer = shown, history, underAnyLoad } = this;
    return new Deviation(`${name}: ${expected}`, got, answer, history, underAnyLoad);
  }
}

/** The row cannot be decided, because something that it builds upon did not work; another row says so. */
export class PrerequisiteFailed extends Error {
  override readonly name = 'PrerequisiteFailed';
}

/** The target does not offer what the row needs. */
export class MissingCapability extends Error {
  override readonly name = 'MissingCapability';
  constructor(
    readonly need: string,
    readonly remedy?: string,
  ) {
    super(remedy === undefined ? need : `${need}: ${remedy}`);
  }
}

/** No client of the target may have these scopes, and no token that is ready has them. */
export class MissingScope extends MissingCapability {
  constructor(scopes: readonly string[], exact = false) {
    const [first = ''] = scopes;
    const role = first.startsWith('account:guild:')
      ? 'guild'
      : first.startsWith('account:')
        ? 'confidential'
        : first.startsWith('oauth:')
          ? 'operations'
          : 'service';
    const such = scopes.join(' and ');
    // A token of a user or service can be listed; those endpoints are called with a token that the suite asks for.
    const ready = role === 'operations' ? '' : `, or list a token with ${exact ? 'exactly ' : ''}${such} under tokens`;
    super(
      `a client that may have ${exact ? 'exactly ' : ''}${such}`,
      `in the target file, add ${such} to the scopes of a client that may have ${scopes.length > 1 ? 'them' : 'it'}, such as clients.${role}${ready}`,
    );
  }
}

/** The target declares that it does not offer an operation: what needs it is not applicable, and the rest of a row is judged. */
export class NotOffered extends MissingCapability {}

/** The row holds for other servers or editions. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** The server's data never gave the case. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
}

/** No more requests may be sent: the budget is spent, the run was interrupted or the server is gone. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Whether an error is of the server or the run, and not a defect of the suite itself. */
export const isOfServer = (error: unknown): error is Error =>
  [Deviation, PrerequisiteFailed, MissingCapability, NotApplicable, NotExercised, Stopped].some(
    (kind) => error instanceof kind,
  );

const undecidedKinds = [MissingCapability, PrerequisiteFailed, NotExercised] as const;
type UndecidedKind = (typeof undecidedKinds)[number];

/** Errors that leave one case undecided, after which others may be tried. */
export type Undecided = InstanceType<UndecidedKind>;

/** What an action gave, or the error of these kinds that left it undecided. Any other error is thrown. */
export async function attempt<T, Kind extends UndecidedKind = UndecidedKind>(
  action: () => Promise<T>,
  kinds: readonly Kind[] = undecidedKinds as readonly UndecidedKind[] as readonly Kind[],
): Promise<{ readonly value?: T; readonly undecided?: InstanceType<Kind> }> {
  try {
    return { value: await action() };
  } catch (error) {
    if (!kinds.some((kind) => error instanceof kind)) throw error;
    return { undecided: error as InstanceType<Kind> };
  }
}
