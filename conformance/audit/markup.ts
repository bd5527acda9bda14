/** A text that a page must not show as it is: its characters may be in a state and in the description of an error (RFC 6749 A.5, A.8). */
export const markup = '<img src=x onerror=audit()>';

/** An address that a page must not link to: its characters may be in the address of an error's page (RFC 6749 A.9). */
export const scripted = 'javascript:audit()';

const link = /\b(?:href|src|action)\s*=[\s"']*javascript:audit\(\)/i;

/** What a page shows of these as it came; undefined where it shows neither. */
export const unsafeIn = (page: string): string | undefined => (page.includes(markup) ? markup : link.exec(page)?.[0]);
