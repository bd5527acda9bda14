import { GrantModel } from '../model/grant.js';
import { isIssue } from '../model/inputs.js';
import type { Output, Request } from '../model/inputs.js';
import { GrantJudge } from '../model/judge.js';
import type { AgingServer } from '../model/aging.js';
import type { Lives } from '../model/grant.js';
import type { CodeHandle, Party, TokenSet } from '../model/token-server.js';
import { atOnce } from '../wire/slots.js';
import { mockReadings, noLives } from './contract.js';

/** What one grant has gone through, each request in two words or three: `refresh 0`, `use access 1`. */
export type History = readonly string[];

/** A fault: what is answered after such a history, instead of what the model says. */
export type Fault = (history: History, right: boolean) => boolean;

const nameOf = (operation: Request): string => {
  if (operation.verb === 'end') return 'end';
  if (operation.verb === 'exchange') return operation.misuse === 'none' ? 'exchange' : `exchange ${operation.misuse}`;
  if (operation.verb === 'refresh') {
    return operation.misuse === 'none' ? `refresh ${operation.token}` : `refresh ${operation.misuse}`;
  }
  return `${operation.verb} ${operation.kind} ${operation.token}`;
};

interface Grant {
  readonly judge: GrantJudge;
  readonly history: string[];
}

/** A server that is the model, but for one fault. Its tokens say what they are. */
export function tinyServer(
  fault: Fault = (_, right) => right,
  lives: Lives = noLives,
  /** Whether each refresh begins the refresh chain anew. */
  { isSliding = false } = {},
): AgingServer {
  const grants: Grant[] = [];
  let clock = 0;
  const partsOf = (text: string) => {
    const [grant, kind, token] = text.split('.');
    return {
      grant: grants[Number(grant)]!,
      index: Number(grant),
      kind: kind as 'access' | 'refresh',
      token: Number(token),
    };
  };
  const answer = ({ judge, history }: Grant, operation: Request): boolean => {
    history.push(nameOf(operation));
    judge.elapse(clock);
    const right = judge.must(operation) ?? false;
    const given = fault(history, right);
    // A request without effect leaves the model as it is.
    if (operation.verb === 'revoke' || operation.verb === 'end') {
      if (given) judge.take(operation, 'done', { now: clock });
      return true;
    }
    const outputs: readonly [Output, Output] =
      operation.verb === 'use'
        ? ['works', 'refused']
        : operation.verb === 'introspect'
          ? ['active', 'inactive']
          : ['tokens', 'refused'];
    if (isSliding && given && operation.verb === 'refresh') {
      Object.assign(judge.model.refresh[operation.token]!, { verdict: 'DEAD', used: true });
      judge.model.exchanged(true, clock);
    } else if (given === right) judge.take(operation, outputs[given ? 0 : 1], { now: clock });
    else if (given && isIssue(outputs[0])) {
      const { model } = judge;
      if (operation.verb === 'refresh') model.refreshed(model.refresh[operation.token]!, true, clock);
      else model.exchanged(true, clock);
    }
    return given;
  };
  const tokens = (grant: number, given: boolean): TokenSet | null => {
    const { access, refresh } = grants[grant]!.judge.model;
    if (!given) return null;
    return {
      access: `${grant}.access.${access.length - 1}`,
      refresh: `${grant}.refresh.${refresh.length - 1}`,
      identity: 'alice',
    };
  };
  return {
    atOnce: (values, action) => atOnce(16, values, action),
    offers: () => ({ revoke: true, introspect: true, introspectRefresh: true, page: false }),
    now: async () => clock,
    to: async (start, seconds) => void (clock = Math.max(clock, start + seconds)),
    consent: async (party: Party) => {
      grants.push({ judge: new GrantJudge(new GrantModel(clock, lives, mockReadings)), history: [] });
      return { text: String(grants.length - 1), party };
    },
    exchange: async ({ text }: CodeHandle, misuse) =>
      tokens(Number(text), answer(grants[Number(text)]!, { verb: 'exchange', misuse })),
    refresh: async (_, text, misuse) => {
      const { grant, index, token } = partsOf(text);
      return tokens(index, answer(grant, { verb: 'refresh', token, misuse }));
    },
    use: async (_, text) => {
      const { grant, kind, token } = partsOf(text);
      return answer(grant, { verb: 'use', kind, token });
    },
    introspect: async (_, text) => {
      const { grant, kind, token } = partsOf(text);
      return answer(grant, { verb: 'introspect', kind, token });
    },
    revoke: async (_, text) => {
      const { grant, kind, token } = partsOf(text);
      return answer(grant, { verb: 'revoke', kind, token });
    },
    endByUser: async () => {},
  };
}

const past = (history: History, ...events: readonly string[]): boolean =>
  events.every(
    (event, index) =>
      history.indexOf(event) >= 0 && history.indexOf(event) >= (index === 0 ? 0 : history.indexOf(events[index - 1]!)),
  );
const now = (history: History, event: string): boolean => history.at(-1) === event;

/** Servers with a fault that only a long word shows, and the length of the shortest that does. */
export const tiny: readonly {
  readonly what: string;
  readonly length: number;
  readonly extra: number;
  readonly fault: Fault;
}[] = [
  {
    what: 'a used refresh token works after the first access token was revoked',
    length: 4,
    extra: 0,
    fault: (history, right) =>
      right ||
      (now(history, 'refresh 0') && past(history, 'refresh 0', 'revoke access 0') && past(history, 'exchange')),
  },
  {
    what: 'the first access token cannot be revoked once there were two refreshes',
    length: 5,
    extra: 0,
    fault: (history, right) => right && !(now(history, 'revoke access 0') && past(history, 'refresh 0', 'refresh 1')),
  },
  {
    what: 'the code gives tokens again after a revocation and a refresh',
    length: 4,
    extra: 1,
    fault: (history, right) => right || (now(history, 'exchange') && past(history, 'revoke access 0', 'refresh 0')),
  },
  {
    what: 'the third access token is dead if the second was revoked',
    length: 5,
    extra: 0,
    fault: (history, right) =>
      right && !(history.at(-1)!.endsWith('access 2') && past(history, 'refresh 0', 'revoke access 1', 'refresh 1')),
  },
  {
    what: 'a code that was replayed twice gives tokens',
    length: 5,
    extra: 1,
    fault: (history, right) =>
      right ||
      (now(history, 'exchange') &&
        past(history, 'refresh 0') &&
        history.filter((event) => event === 'exchange').length > 3),
  },
];
