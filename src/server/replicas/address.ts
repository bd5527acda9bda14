import { SetupError } from '../../input/setup-error.js';
import { namePattern } from '../target.js';

const isName = new RegExp(`^${namePattern}$`);

/** The URL of an engine, the same without its password, and the name of the mock there. @throws SetupError for what is none */
export function readAddress(given: string): { url: string; address: string; name: string } {
  const form = 'write it like redis://127.0.0.1:6379, with ?name=... for one of several mocks on an engine';
  // An address may have a password in it, and one that cannot be parsed has it who knows where: it is not repeated.
  if (!URL.canParse(given)) throw new SetupError(`store: what was given is not a URL; ${form}`);
  const url = new URL(given);
  const name = url.searchParams.get('name') ?? 'mock';
  const stray = [...url.searchParams.keys()].find((key) => key !== 'name');
  if (!['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '' || !/^(\/\d*)?$/.test(url.pathname) || stray)
    throw new SetupError(`store: this is no address of Redis or Valkey; ${form}`);
  if (!isName.test(name))
    throw new SetupError('store: name takes letters, digits, _ . and -, 64 at most, and begins with no dot');
  url.search = '';
  const whole = url.toString();
  url.username = url.password = '';
  return { url: whole, address: url.toString(), name };
}
