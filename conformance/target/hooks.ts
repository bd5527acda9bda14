/**
 * How hooks reach the server under test: one request, no redirect followed. Header names of the answer are in lower
 * case; one that came more than once (Set-Cookie) is a list. Rejects where no answer came.
 */
export type Transport = (request: {
  readonly method: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}>;

/** What a browser of an account met at the authorization endpoint; the redirect is not followed. */
export interface ConsentOutcome {
  readonly status: number;
  readonly location: string | null;
  /** Text of the page, where there was one and no redirect. */
  readonly body?: string | undefined;
}

export interface ConsentRequest {
  /** The authorization URL, complete. */
  readonly url: string;
  readonly account: string;
  readonly decision: 'approve' | 'deny';
  /** A subset of the scopes asked for, separated by spaces. */
  readonly scope?: string;
}

export type Revocation =
  | { readonly by: 'user'; readonly account: string; readonly client_id: string }
  | { readonly by: 'application'; readonly client_id: string };

export interface StashEvent {
  readonly realm: string;
  readonly op: 'list' | 'update' | 'unlist';
  /** Left out with `list` for a new stash. */
  readonly stash?: string;
}

/**
 * What the server under test lets the suite do beside the interface: by its control surface or by an adapter module.
 * A hook that is missing makes the checks that need it *could not run*.
 */
export interface Hooks {
  readonly consent?: (request: ConsentRequest) => Promise<ConsentOutcome>;
  readonly clock?: {
    /** The server's time. */
    now(): Promise<Date>;
    /** Moves the server's clock forward by so much, or where it is shared by up to `most`; answers its new time. */
    advance(seconds: number, most?: number): Promise<Date>;
  };
  readonly revoke?: (revocation: Revocation) => Promise<void>;
  readonly stashEvent?: (event: StashEvent) => Promise<{ readonly id: string; readonly at: Date }>;
  readonly reset?: () => Promise<void>;
  /** The consent page as a browser meets it, login pages passed; only where `consent` is `form`. */
  readonly page?: (request: Pick<ConsentRequest, 'url' | 'account'>) => Promise<{
    readonly status: number;
    readonly text: string;
  }>;
  /** The adapter's codec, as it exports it; `openCodec` gives it the form of a codec. */
  readonly tree?: AdapterTree;
}

/** A call of an adapter's hook: what it was given, and what it returned or why it failed. */
export interface AdapterCall {
  readonly hook: string;
  readonly input: unknown;
  readonly output?: unknown;
  readonly error?: string;
}

/** `tree` of an adapter: answers as the pipe does, or the tree or link itself, and then throws what is wrong. */
export interface AdapterTree {
  decode(link: string): unknown;
  encode(tree: Tree, form?: { readonly byteOrder?: 'big' | 'little'; readonly padding?: boolean }): unknown;
}

/** A passive tree as the codec protocol writes it (control protocol, section 3). */
export interface Tree {
  readonly version: number;
  readonly class: number;
  readonly ascendancy: number;
  readonly bloodline?: number;
  readonly fullscreen?: boolean;
  readonly hashes: readonly number[];
  readonly extended?: readonly number[];
  readonly mastery?: readonly { readonly node: number; readonly effect: number }[];
}

/** The codec under test: a command over a pipe, or an adapter's `tree`. */
export interface Codec {
  decode(link: string): Promise<{ readonly tree: Tree } | { readonly error: string }>;
  encode(
    tree: Tree,
    form?: { readonly byteOrder?: 'big' | 'little'; readonly padding?: boolean },
  ): Promise<{ readonly link: string } | { readonly error: string }>;
  close(): Promise<void>;
}
