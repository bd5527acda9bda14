/** A description of an error that a page must not show as it is. Characters that RFC 6749 4.1.2.1 allows there. */
export const markup = '<img src=x onerror=audit()>';
