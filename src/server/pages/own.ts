/** Pages of the mock for people, and what they load: nothing that a client of the interface asks for. */
const own =
  /^(?:\/ns\/[^/?]+)?(?:\/|\/health|\/favicon\.ico|\/docs(?:\/[^?]*)?|\/try(?:\/[^?]*)?|\/openapi\.(?:yaml|json))(?:\?|$)/;

/** Whether a target is one of the mock's own pages, which no list of a client's requests names. */
export const isOwnPage = (target: string): boolean => own.test(target);
