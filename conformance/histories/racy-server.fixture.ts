import type { Answered, Asked } from './recorder.js';

/** What goes wrong between two steps of the server, or on the way to another replica. */
export const defects = {
  'a code is read, then deleted': 'check-then-write',
  'a code is checked, tokens are saved, then the code is deleted': 'check-then-write',
  'a refresh token is read, then ended': 'check-then-write',
  'a refresh token is ended after the new ones are answered': 'check-then-write',
  'a refresh checks its token, and issues although the user ended the grant meanwhile': 'check-then-write',
  'only the second refresh of a chain checks in two steps': 'check-then-write',
  'a refresh writes back the access tokens that it read': 'lost update',
  'a refresh writes back the grant that it read, and the revocation is lost': 'lost update',
  'two revocations write the same record, and one is lost': 'lost update',
  'a use writes back when the token was used last, and its revocation is lost': 'lost update',
  'an introspection writes back what it read': 'lost update',
  'a refresh writes back its chain, and the used token is alive again': 'lost update',
  'the loser of a refresh puts its token back': 'lost update',
  'new tokens are inserted after the answer': 'answer before write',
  'a revocation is answered and never written when a refresh is under way': 'answer before write',
  'the user ends the grant while a refresh is under way, which goes on': 'answer before write',
  'an access token is cached by a use, and its revocation does not end the cache': 'cache',
  'a cache is filled with what was read before the revocation': 'cache',
  'introspection is cached': 'cache',
  'the cache of refresh tokens is read after one is used': 'cache',
  'each replica remembers by itself which refresh tokens are used': 'replica memory',
  'each replica remembers by itself which codes are used': 'replica memory',
  'each replica remembers by itself which access tokens are revoked': 'replica memory',
  'a replica never hears of tokens that another issued': 'replica memory',
  'tokens of two refreshes at once get the same text': 'lost update',
  'a revocation ends the newest access token, which a refresh may have replaced': 'lost update',
  'new tokens are inserted after the answer, and a revocation before that finds nothing': 'answer before write',
  'a used refresh token is answered with the tokens of its refresh for a moment longer': 'cache',
  'a replica hears a moment later which refresh tokens are used': 'replica memory',
  'a replica never hears that the user ended the grant': 'replica memory',
} as const;
export type Defect = keyof typeof defects;
export const everyDefect = Object.keys(defects) as readonly Defect[];

/** Ways to do it that conform, none of which may be blamed. */
export const variants = [
  'does one call after the other',
  'refuses whoever comes while another is under way',
  'answers the loser with the tokens of the winner',
  'lets reuse end the grant',
  'lets a revocation take its time',
  'lets reads lag behind',
  'limits its callers',
  'loses replies, and may have done what was asked',
  'answers 500 now and then, and may have done what was asked',
  'is slow',
  // Defects of their kind that the interface allows, for it leaves open what a replay, a reuse or a revocation ends.
  'the loser of a refresh deletes what the winner inserted',
  'the loser of an exchange deletes the tokens of the winner',
  'a refresh deletes all tokens of the grant, and then inserts its own',
  'a refresh is answered and rolled back when a revocation is under way',
] as const;
export type Variant = (typeof variants)[number];

interface Token {
  readonly kind: 'access' | 'refresh';
  state: 'alive' | 'used' | 'revoked';
  readonly generation: number;
}

export interface RacyOptions {
  readonly defect?: Defect | undefined;
  readonly variant?: Variant | undefined;
  /** Random numbers from 0 to 1. */
  readonly random: () => number;
  /** Waits for so many milliseconds, or lets others go first. */
  readonly pause: (ms: number) => Promise<void>;
  readonly clock: () => number;
  /** How long what lags, lags. */
  readonly lag?: number;
}

/** A token server of one grant, of two replicas, whose requests interleave at every pause. */
export function racyServer({ defect, variant, random, pause, clock, lag = 30 }: RacyOptions) {
  const has = (one: Defect): boolean => defect === one;
  const is = (one: Variant): boolean => variant === one;
  const tokens = new Map<string, Token>();
  /** Per replica: what it knows by itself. */
  const own = [0, 1].map(() => ({
    used: new Set<string>(),
    revoked: new Set<string>(),
    cache: new Map<string, boolean>(),
    issued: new Set<string>(),
  }));
  /** When a token was ended, for reads and revocations that lag. */
  const ended = new Map<string, number>();
  const winners = new Map<string, { at: number; issued: readonly string[] }>();
  const busy = new Map<string, number>();
  let code: 'none' | 'good' | 'used' = 'none';
  let count = 0;
  /** The replica at which the user ended the grant. */
  let endedAt: number | undefined;
  let lock: Promise<unknown> = Promise.resolve();
  const step = (): Promise<void> => pause(random() * (is('is slow') ? 40 : 4));

  const end = (text: string, state: Token['state']): void => {
    const token = tokens.get(text);
    if (!token || (token.state !== 'alive' && state !== 'used')) return;
    token.state = state;
    ended.set(text, clock());
  };
  const endAll = (): void => [...tokens.keys()].forEach((text) => end(text, 'revoked'));
  const isAlive = (text: string): boolean => {
    const token = tokens.get(text);
    if (!token) return false;
    const late = is('lets reads lag behind') || (is('lets a revocation take its time') && token.state === 'revoked');
    return token.state === 'alive' || (late && clock() < (ended.get(text) ?? 0) + lag * random());
  };
  const generationOf = (text = ''): number => (tokens.get(text)?.generation ?? -1) + 1;
  const issue = (replica: number, generation: number): readonly string[] => {
    const number = (count += 1);
    const made = [`access-${number}`, `refresh-${number}`];
    made.forEach((text, index) =>
      tokens.set(text, { kind: index === 0 ? 'access' : 'refresh', state: 'alive', generation }),
    );
    made.forEach((text) => own[replica]!.issued.add(text));
    return made;
  };
  const during = async <T>(what: string, action: () => Promise<T>): Promise<T> => {
    busy.set(what, (busy.get(what) ?? 0) + 1);
    try {
      return await action();
    } finally {
      busy.set(what, busy.get(what)! - 1);
    }
  };
  const under = (what: string): boolean => (busy.get(what) ?? 0) > 0;

  async function exchange(replica: number): Promise<Answered> {
    const local = own[replica]!;
    const good = has('each replica remembers by itself which codes are used')
      ? code !== 'none' && !local.used.has('code')
      : code === 'good';
    if (!good) {
      if (is('the loser of an exchange deletes the tokens of the winner')) {
        await step();
        for (const text of tokens.keys()) if (generationOf(text) === 1) tokens.delete(text);
      }
      if (is('lets reuse end the grant')) endAll();
      return 'refused';
    }
    if (has('a code is read, then deleted')) await step();
    if (has('a code is checked, tokens are saved, then the code is deleted')) {
      const made = issue(replica, 0);
      await step();
      code = 'used';
      return { issued: made };
    }
    code = 'used';
    local.used.add('code');
    return answered('code', issue(replica, 0), replica);
  }

  async function refresh(text: string, replica: number): Promise<Answered> {
    const local = own[replica]!;
    const token = tokens.get(text);
    let good = token?.kind === 'refresh' && isAliveToRefresh(text);
    if (has('each replica remembers by itself which refresh tokens are used'))
      good = token?.kind === 'refresh' && token.state !== 'revoked' && !local.used.has(text);
    if (has('the cache of refresh tokens is read after one is used')) good = local.cache.get(text) ?? good;
    if (has('a replica hears a moment later which refresh tokens are used'))
      good = token?.kind === 'refresh' && token.state !== 'revoked' && !local.used.has(text);
    if (has('a replica never hears that the user ended the grant') && endedAt !== undefined && endedAt !== replica)
      good = token?.kind === 'refresh' && token.state !== 'used' && !local.used.has(text);
    if (!good || !token) {
      if (is('the loser of a refresh deletes what the winner inserted') && token?.state === 'used') {
        await step();
        for (const [name, one] of tokens) if (one.generation === token.generation + 1) tokens.delete(name);
        return 'refused';
      }
      if (has('the loser of a refresh puts its token back') && token?.state === 'used' && winners.has(text)) {
        if (clock() < winners.get(text)!.at + 4) token.state = 'alive';
        return 'refused';
      }
      if (token?.state === 'used' && is('lets reuse end the grant')) endAll();
      const winner = winners.get(text);
      const isLate = has('a used refresh token is answered with the tokens of its refresh for a moment longer');
      if (isLate && winner && token?.state === 'used' && clock() < winner.at + 12) return { issued: winner.issued };
      // As a server with a grace period does, for a request that came before the winner was answered.
      if (winner && is('answers the loser with the tokens of the winner') && under(`answer ${text}`))
        return { issued: winner.issued };
      return 'refused';
    }
    if (is('refuses whoever comes while another is under way') && under(`refresh ${text}`)) return 'refused';
    return during(`refresh ${text}`, async () => {
      local.cache.set(text, true);
      const before = new Map([...tokens].map(([name, one]) => [name, one.state]));
      const twoSteps =
        has('a refresh token is read, then ended') ||
        (token.generation > 0 && has('only the second refresh of a chain checks in two steps'));
      if (twoSteps) await step();
      if (has('a refresh checks its token, and issues although the user ended the grant meanwhile')) {
        await step();
        if ((token.state as string) === 'used') return 'refused';
      }
      if (has('a refresh token is ended after the new ones are answered')) {
        const made = issue(replica, token.generation + 1);
        void step().then(() => end(text, 'used'));
        return { issued: made };
      }
      if (has('tokens of two refreshes at once get the same text')) count = Math.floor(clock() / 8) + 100;
      if (!has('each replica remembers by itself which refresh tokens are used') || token.state === 'alive')
        end(text, 'used');
      local.used.add(text);
      if (has('a replica hears a moment later which refresh tokens are used'))
        void pause(lag).then(() => own.forEach(({ used }) => used.add(text)));
      if (is('a refresh deletes all tokens of the grant, and then inserts its own'))
        tokens.forEach((one, name) => one.kind === 'access' && tokens.delete(name));
      const writesBack = [
        'a refresh writes back the access tokens that it read',
        'a refresh writes back the grant that it read, and the revocation is lost',
      ] as const;
      if (writesBack.some(has)) {
        await step();
        const only = has(writesBack[0]) ? 'access' : undefined;
        for (const [name, state] of before)
          if (name !== text && (!only || tokens.get(name)?.kind === only)) restore(name, state);
      }
      if (has('a refresh writes back its chain, and the used token is alive again')) {
        const made = issue(replica, token.generation + 1);
        void step().then(() =>
          [...before].forEach(([name, state]) => tokens.get(name)?.kind === 'refresh' && restore(name, state)),
        );
        return { issued: made };
      }
      if (has('the user ends the grant while a refresh is under way, which goes on')) await step();
      const made = issue(replica, token.generation + 1);
      if (has('new tokens are inserted after the answer')) {
        const kept = made.map((name) => [name, tokens.get(name)!] as const);
        made.forEach((name) => tokens.delete(name));
        if (random() < 0.5) void step().then(() => kept.forEach(([name, one]) => tokens.set(name, one)));
      }
      if (has('new tokens are inserted after the answer, and a revocation before that finds nothing')) {
        const kept = made.map((name) => [name, tokens.get(name)!] as const);
        made.forEach((name) => tokens.delete(name));
        void pause(8).then(() => kept.forEach(([name, one]) => tokens.set(name, one)));
      }
      if (is('a refresh is answered and rolled back when a revocation is under way') && under('revoke'))
        made.forEach((name) => tokens.delete(name));
      return answered(text, made, replica);
    });
  }

  const isAliveToRefresh = (text: string): boolean =>
    // A used token is expired immediately (interface 3); only a revocation may take its time.
    is('lets reads lag behind') ? tokens.get(text)?.state === 'alive' : isAlive(text);

  const restore = (text: string, state: Token['state']): void => {
    const token = tokens.get(text);
    if (token) token.state = state;
  };

  /** What was won is answered a moment later. */
  async function answered(credential: string, issued: readonly string[], _: number): Promise<Answered> {
    winners.set(credential, { at: clock(), issued });
    return during(`answer ${credential}`, async () => {
      await step();
      return { issued };
    });
  }

  async function revoke(text: string, replica: number): Promise<Answered> {
    return during('revoke', async (): Promise<Answered> => {
      if (has('two revocations write the same record, and one is lost')) {
        const before = [...tokens].map(([name, { state }]) => [name, state] as const);
        await step();
        before.forEach(([name, state]) => name !== text && restore(name, state));
      }
      if (
        has('a revocation is answered and never written when a refresh is under way') &&
        [...busy].some(([what, times]) => what.startsWith('refresh') && times > 0)
      )
        return 'done';
      if (has('a revocation ends the newest access token, which a refresh may have replaced')) {
        const isAccess = tokens.get(text)?.kind === 'access';
        await step();
        const newest = [...tokens].findLast(([, { kind }]) => kind === 'access')?.[0];
        end(isAccess ? newest! : text, 'revoked');
      } else if (has('each replica remembers by itself which access tokens are revoked'))
        own[replica]!.revoked.add(text);
      else end(text, 'revoked');
      await step();
      return 'done';
    });
  }

  async function read(text: string, replica: number, introspects: boolean): Promise<boolean> {
    const local = own[replica]!;
    const state = tokens.get(text)?.state;
    if (has('each replica remembers by itself which access tokens are revoked') && local.revoked.has(text))
      return false;
    if (has('a replica never hears of tokens that another issued') && !local.issued.has(text)) return false;
    const caches =
      has('an access token is cached by a use, and its revocation does not end the cache') ||
      (introspects && has('introspection is cached'));
    if (caches && local.cache.get(text)) return true;
    const alive = isAlive(text);
    if (has('a cache is filled with what was read before the revocation')) {
      if (local.cache.get(text)) return true;
      await step();
      if (alive && tokens.get(text)?.state === 'revoked') local.cache.set(text, true);
    }
    const writes =
      (!introspects && has('a use writes back when the token was used last, and its revocation is lost')) ||
      (introspects && has('an introspection writes back what it read'));
    if (writes && state === 'alive') {
      for (let times = 0; times < 4; times += 1) await step();
      restore(text, state);
    }
    if (alive) local.cache.set(text, true);
    await step();
    return alive;
  }

  async function answer({ verb, text = '' }: Asked, replica: number): Promise<Answered> {
    switch (verb) {
      case 'consent':
        code = 'good';
        return { issued: ['the-code'] };
      case 'exchange':
        return exchange(replica);
      case 'refresh':
        return refresh(text, replica);
      case 'revoke':
        return revoke(text, replica);
      case 'use':
        return (await read(text, replica, false)) ? 'works' : 'refused';
      case 'introspect':
        return (await read(text, replica, true)) ? 'active' : 'inactive';
      case 'end': {
        if (is('lets a revocation take its time')) {
          void pause(lag)
            .then(endAll)
            .then(() => ended.clear());
          return 'done';
        }
        const before = [...tokens.keys()];
        await step();
        endedAt = replica;
        if (has('the user ends the grant while a refresh is under way, which goes on'))
          before.forEach((name) => end(name, 'revoked'));
        else endAll();
        return 'done';
      }
    }
  }

  return async (asked: Asked): Promise<Answered | undefined> => {
    await step();
    const replica = random() < 0.5 ? 0 : 1;
    const chance = random();
    if (is('limits its callers') && chance < 0.2 && asked.verb !== 'consent') return undefined;
    const serial = is('does one call after the other');
    const doing = serial ? (lock = lock.then(() => answer(asked, replica))) : answer(asked, replica);
    const isLost = chance < 0.15 && asked.verb !== 'consent';
    if (isLost && is('loses replies, and may have done what was asked')) return undefined;
    if (isLost && is('answers 500 now and then, and may have done what was asked')) {
      if (chance < 0.07) await doing;
      return undefined;
    }
    const said = (await doing) as Answered;
    await step();
    return said;
  };
}
