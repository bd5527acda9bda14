import { createPrivateKey, X509Certificate } from 'node:crypto';

import type { Connection } from '../wire/connection.js';
import { SetupError } from '../../src/input/setup-error.js';
import type { Target } from './target.js';
import { textFile } from '../../src/input/file.js';

/**
 * How the server of a target is connected to: reads the files that it names.
 *
 * @throws SetupError where one cannot be read, or is not what it should be
 */
export function connectionOf({
  ca,
  client_certificate: own,
  proxy,
}: Pick<Target, 'ca' | 'client_certificate' | 'proxy'>): Connection {
  return {
    ...(ca !== undefined && { ca: certificate('ca', ca) }),
    ...(own && {
      cert: certificate('client_certificate.cert', own.cert),
      key: privateKey('client_certificate.key', own.key),
    }),
    ...(proxy !== undefined && { proxy }),
  };
}

function certificate(key: string, file: string): string {
  return read(key, file, 'a PEM file of certificates', (text) => new X509Certificate(text));
}

function privateKey(key: string, file: string): string {
  return read(key, file, 'a PEM file of a private key without a passphrase', createPrivateKey);
}

function read(key: string, file: string, wanted: string, parse: (text: string) => unknown): string {
  const text = textFile(file, wanted);
  try {
    parse(text);
  } catch {
    throw new SetupError(`${key} ${file}: is not PEM; name ${wanted}`);
  }
  return text;
}
