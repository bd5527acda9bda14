/** What text is written to. */
export interface Terminal {
  /** A screen whose last line can be written anew. */
  readonly tty: boolean;
  readonly colour: boolean;
  readonly columns: number;
}

/**
 * Colour is for terminals whose owner has not asked for none (no-color.org), and for whoever forces it (force-color.org),
 * which goes first, as in Node; elsewhere lines are 100 wide.
 */
export function terminalOf(
  { isTTY = false, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const force = env.FORCE_COLOR ?? '';
  const tty = isTTY && env.TERM !== 'dumb';
  return {
    tty,
    colour: force === '' ? tty && (env.NO_COLOR ?? '') === '' : !/^(0|false)$/.test(force),
    columns: isTTY && columns ? Math.min(140, Math.max(40, columns)) : 100,
  };
}

type Brush = (text: string) => string;

/** How words are set off. */
export interface Paint {
  readonly strong: Brush;
  readonly faint: Brush;
  readonly good: Brush;
  readonly fair: Brush;
  readonly bad: Brush;
  readonly link: Brush;
}

/** Words that stand out, and words that stand back. */
export type Emphasis = Pick<Paint, 'strong' | 'faint'>;

export function paintFor({ colour }: Pick<Terminal, 'colour'>): Paint {
  const brush =
    (on: number, off: number): Brush =>
    (text) =>
      colour && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  return {
    strong: brush(1, 22),
    faint: brush(2, 22),
    good: brush(32, 39),
    fair: brush(33, 39),
    bad: brush(31, 39),
    link: brush(36, 39),
  };
}
