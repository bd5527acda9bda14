/** A text that a page must not show as it is: its characters may be in a state and in the description of an error (RFC 6749 A.5, A.8). */
export const markup = '<img src=x onerror=audit()>';
