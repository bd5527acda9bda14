import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { isAbsolute } from './endpoints.js';
import { nearest } from '../../src/input/nearest.js';
import { operationWords } from './offers.js';
import { shown } from './schema.js';
import type { Problem } from './schema.js';

/** Problems that the schema cannot express: addresses, and settings that depend on each other. Types are the schema's. */
export function problemsBetween(target: unknown): Problem[] {
  if (!isObject(target)) return [];
  return [
    ...['base_url', 'auth_url', 'control_url'].flatMap((key) => addressProblems(key, target[key])),
    ...proxyProblems(target.proxy),
    ...pathProblems(target.paths),
    ...redirectProblems(target.clients),
    ...offerProblems(target.not_offered),
    ...tokenProblems(target),
    ...factProblems(target),
    ...consentProblems(target),
    ...waiverProblems(target.waivers),
    ...(target.readings !== undefined && target.variants !== undefined
      ? [{ path: ['variants'], words: 'is the earlier name of readings, which is set too; move its lines there' }]
      : []),
    ...(target.control_token !== undefined && target.control_url === undefined
      ? [{ path: ['control_token'], words: 'is sent on control calls only, but control_url is not set; set it' }]
      : []),
  ];
}

function addressProblems(key: string, value: unknown): Problem[] {
  if (typeof value !== 'string' || value === '') return [];
  const problem = (words: string): Problem[] => [{ path: [key], words }];
  const url = parsed(value);
  const example = 'write it as https://api.example or http://127.0.0.1:4010';
  if (!url || !/^https?:\/\//i.test(value)) return problem(`${shown(value)} is not an http or https URL; ${example}`);
  if (url.username !== '' || url.password !== '') return problem(`contains credentials; ${example}`);
  if (url.search !== '' || value.includes('?'))
    return problem('has a query, but paths are appended to it; remove the query');
  if (url.hash !== '' || value.includes('#'))
    return problem('has a fragment, but paths are appended to it; remove the fragment');
  return [];
}

function proxyProblems(proxy: unknown): Problem[] {
  if (typeof proxy !== 'string' || proxy === '') return [];
  const { protocol, pathname, search } = parsed(proxy) ?? {};
  if (/^https?:$/.test(protocol ?? '') && pathname === '/' && search === '') return [];
  return [{ path: ['proxy'], words: 'is not the URL of a proxy; write it as http://proxy.example:3128' }];
}

function pathProblems(paths: unknown): Problem[] {
  if (!isObject(paths)) return [];
  return Object.entries(paths).flatMap(([endpoint, value]) => {
    if (typeof value !== 'string' || value === '') return [];
    const path = ['paths', endpoint];
    if (isAbsolute(value)) {
      const url = parsed(value);
      if (url && url.hash === '' && url.username === '' && url.password === '') return [];
      return [{ path, words: 'is not the URL of an endpoint; write it without credentials or fragment' }];
    }
    if (/^\/[^\s#]*$/.test(value)) return [];
    return [
      { path, words: `${shown(value)} is neither a path nor a URL; write it as /token or https://login.example/token` },
    ];
  });
}

function offerProblems(words: unknown): Problem[] {
  if (!Array.isArray(words)) return [];
  return words.flatMap((word: unknown, index) => {
    if (typeof word !== 'string' || word === '' || operationWords.includes(word)) return [];
    const near = nearest(word, operationWords);
    const remedy = near === undefined ? 'write an operationId such as getProfile, or a path' : `did you mean ${near}?`;
    return [{ path: ['not_offered', index], words: `${shown(word)} is no operation; ${remedy}` }];
  });
}

function tokenProblems({ tokens, accounts = { alice: {} } }: JsonObject): Problem[] {
  if (!Array.isArray(tokens) || !isObject(accounts)) return [];
  return tokens.flatMap((one: unknown, index) => {
    const account = isObject(one) ? one.account : undefined;
    if (typeof account !== 'string' || Object.hasOwn(accounts, account)) return [];
    return [{ path: ['tokens', index, 'account'], words: `${shown(account)} is not in accounts; add it there` }];
  });
}

function factProblems({ known, accounts = { alice: {} } }: JsonObject): Problem[] {
  if (!isObject(known) || !isObject(accounts)) return [];
  return (['livestream', 'game2_account'] as const).flatMap((fact) => {
    const account = known[fact];
    if (typeof account !== 'string' || account === '' || Object.hasOwn(accounts, account)) return [];
    return [{ path: ['known', fact], words: `${shown(account)} is not in accounts; add it there` }];
  });
}

function redirectProblems(clients: unknown): Problem[] {
  if (!isObject(clients)) return [];
  return Object.entries(clients).flatMap(([role, client]) => {
    if (!isObject(client)) return [];
    const one = typeof client.redirect_uri === 'string' ? [[['redirect_uri'], client.redirect_uri] as const] : [];
    const more = Array.isArray(client.redirect_uris)
      ? client.redirect_uris.map((uri: unknown, index) => [['redirect_uris', index], uri] as const)
      : [];
    return [...one, ...more].flatMap(([path, uri]) =>
      typeof uri !== 'string' || uri === '' || parsed(uri)
        ? []
        : [
            {
              path: ['clients', role, ...path],
              words: `${shown(uri)} is not an absolute URI; write it as registered`,
            },
          ],
    );
  });
}

function consentProblems({ consent, control_url: control, adapter }: JsonObject): Problem[] {
  if (consent === 'control' && control === undefined)
    return [{ path: ['consent'], words: 'is control, but control_url is not set; set it, or use form, auto or none' }];
  if (consent === 'adapter' && adapter === undefined)
    return [{ path: ['consent'], words: 'is adapter, but adapter is not set; name its module, or use form or none' }];
  return [];
}

function waiverProblems(waivers: unknown): Problem[] {
  if (!Array.isArray(waivers)) return [];
  const ids = waivers.map((waiver: unknown) => (isObject(waiver) ? waiver.id : undefined));
  return ids.flatMap((id, index) =>
    typeof id === 'string' && ids.indexOf(id) < index
      ? [
          {
            path: ['waivers', index],
            words: `${id.length > 60 ? `${id.slice(0, 57)}…` : id} is waived twice; remove one`,
          },
        ]
      : [],
  );
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
