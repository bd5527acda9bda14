/** What is reported of a body that could not be read. */
export interface ReadFailure {
  readonly status?: number;
  readonly type?: string;
}

/** A request that is carried out at its place in the order that replicas share. Without replicas there are none. */
export interface Turn {
  /** The whole body, where there is one. */
  readonly body: Uint8Array | undefined;
  /** Why it could not be read, if it could not. */
  readonly unread: ReadFailure | undefined;
  /** True where another replica has the connection: nothing is sent, and nothing waits. */
  readonly replayed: boolean;
  /** Real ms from its arrival to its place in the order. */
  readonly elapsed: number;
  /** Called, once or more, when all that the request changes has been changed: the next turn may begin. */
  done(): void;
}

/** What is known of a request before the app gets it. */
interface Locals {
  turn?: Turn;
  refusal?: Error;
}

/** A response, of which only this is looked at here. */
interface Located {
  locals?: object;
}

export const turnOf = (res: Located): Turn | undefined => (res.locals as Locals | undefined)?.turn;

/** Why a request is refused before anything looks at it. */
export const refusalOf = (res: Located): Error | undefined => (res.locals as Locals | undefined)?.refusal;

/** Given to a response before the app gets it. */
export const withLocals = <R extends Located>(res: R, locals: Locals): R => Object.assign(res, { locals });
