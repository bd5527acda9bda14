/** A result of `gamedata doctor`. */
export interface Diagnosis {
  /** The subject: a key of the target, such as `base_url` or `clients.service`. */
  readonly about: string;
  /** `note`: does not stop a run. */
  readonly state: 'ok' | 'problem' | 'note';
  /** What was found. */
  readonly met: string;
  /** What to change, if anything. */
  readonly remedy?: string;
}

export const ok = (about: string, met: string): Diagnosis => ({ about, state: 'ok', met });
export const problem = (about: string, met: string, remedy: string): Diagnosis => ({
  about,
  state: 'problem',
  met,
  remedy,
});
export const note = (about: string, met: string, remedy?: string): Diagnosis => ({
  about,
  state: 'note',
  met,
  ...(remedy !== undefined && { remedy }),
});
