import type { Step } from '../histories/callers.js';
import type { Answered, Send, SendAtOnce } from '../histories/recorder.js';
import { Deviation, PrerequisiteFailed } from '../verdict.js';
import { serverError } from './token-server.js';
import type { CodeHandle, Party, TokenServer, TokenSet } from './token-server.js';

/** Callers that use one grant of a party, each its own connection to the server under test. */
export interface Callers {
  readonly send: Send;
  readonly sendAtOnce?: SendAtOnce;
  /** Throws what ended the run, or what the target lacks: no reply that was lost explains that. */
  readonly rethrow: () => void;
}

/** Callers of a server. One that gets no answer, or one that says nothing, does not know what became of its call. */
export function callersOf(server: TokenServer, party: Party): Callers {
  let code: CodeHandle | undefined;
  let ended: { readonly error: unknown } | undefined;
  const ask = async ({ verb, text = '' }: Parameters<Send>[0]): Promise<Answered | undefined> => {
    switch (verb) {
      case 'consent':
        code = await server.consent(party);
        return { issued: [code.text] };
      case 'exchange':
        return tokensOf(await server.exchange(code!, 'none'));
      case 'refresh':
        return tokensOf(await server.refresh(party, text, 'none'));
      case 'revoke':
        return (await server.revoke(party, text)) === true ? 'done' : undefined;
      case 'use':
        return (await server.use(party, text)) ? 'works' : 'refused';
      case 'introspect':
        return (await server.introspect(party, text)) ? 'active' : 'inactive';
      case 'end':
        await server.endByUser(party);
        return 'done';
    }
  };
  const lost = (error: unknown): undefined => {
    if (!(error instanceof Deviation || error instanceof PrerequisiteFailed)) ended ??= { error };
    return undefined;
  };
  const race = server.race?.bind(server);
  return {
    send: (asked) => ask(asked).catch(lost),
    ...(race && {
      sendAtOnce: async (all) => {
        const texts = all.map(({ verb, text = '' }) => (verb === 'exchange' ? code! : text));
        return (await race(party, texts).catch(lost))?.map(tokensOf) ?? [];
      },
    }),
    rethrow: () => {
      if (ended) throw ended.error;
    },
  };
}

function tokensOf(answer: TokenSet | null | typeof serverError): Answered | undefined {
  if (answer === serverError) return undefined;
  if (answer === null) return 'refused';
  const { access, refresh } = answer;
  return { issued: refresh === undefined ? [access] : [access, refresh] };
}

/** What callers can do on a server, of what they might. */
export function stepsOn(server: TokenServer, party: Party): readonly Step[] {
  const { revoke, introspect, introspectRefresh, page } = server.offers(party);
  return [
    'exchange',
    'refresh',
    'refresh old',
    'use',
    'use old',
    ...(revoke ? (['revoke access', 'revoke refresh'] as const) : []),
    ...(introspect ? (['introspect'] as const) : []),
    ...(introspectRefresh ? (['introspect refresh'] as const) : []),
    ...(page ? (['end'] as const) : []),
  ];
}
