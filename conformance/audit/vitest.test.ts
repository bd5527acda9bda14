import { describe, expect, it } from 'vitest';

import { startAudit } from '../vitest.js';

describe('toBeConformant', () => {
  it('is kept by a client that does nothing wrong, in any world', async () => {
    await using audit = await startAudit({ world: 'observed' });
    const headers = { authorization: `Bearer ${audit.environment.GAMEDATA_TOKEN_ACCOUNT}`, 'user-agent': 'tiny app' };
    await fetch(`${audit.url}/profile`, { headers });
    await expect(audit.verdict()).toBeConformant();
    await expect(await audit.verdict()).toBeConformant();
  });

  it('fails with the sentence, what was expected and what came', async () => {
    await using audit = await startAudit();
    await fetch(`${audit.url}/profile?access_token=x`);
    await expect(expect(audit.verdict()).toBeConformant()).rejects.toThrow(
      /TOK-BEARER-002 MUST-RFC: A client sends its token in a header, and never in a URL[^]*expected no token in the URL[^]*got a token in the URL of GET \/profile/,
    );
  });

  it('fails where what makes the world different did not happen', async () => {
    await using audit = await startAudit({ world: 'restricted-once' });
    const headers = { authorization: `Bearer ${audit.environment.GAMEDATA_TOKEN_ACCOUNT}`, 'user-agent': 'tiny app' };
    await fetch(`${audit.url}/profile`, { headers });
    await expect(expect(audit.verdict()).toBeConformant()).rejects.toThrow(
      /No verdict\. The world restricted-once did not happen: the client sent one data request;/,
    );
  });

  it('fails for a client that asked for nothing', async () => {
    await using audit = await startAudit();
    await expect(expect(audit.verdict()).toBeConformant()).rejects.toThrow(
      /no request reached http:.*; point the client at that address/,
    );
    await expect(audit.verdict()).not.toBeConformant();
  });
});
